//go:build ignore

// Mistake: The Status of an ERROR goes through the function that makes refusals, which replaces one whose code is no refusal.
//   An Expired without a code arrives as an InternalError, and its reader does not list again.
// Killed by: streams-one-event-a-line
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (f frames) event(what kit.EventType, object any, status *kit.Status) error {
	if what == kit.Error {
		return f.send(what, statusOf(&kit.StatusError{ErrStatus: *status}))
	}
	return f.send(what, object)
}
