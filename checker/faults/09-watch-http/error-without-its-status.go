//go:build ignore

// Mistake: An ERROR is written like any event; its object is null, and nobody learns why the watch ends.
// Killed by: streams-one-event-a-line
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (f frames) event(what kit.EventType, object any, status *kit.Status) error {
	if what == kit.Error {
		return f.send(what, object)
	}
	return f.send(what, object)
}
