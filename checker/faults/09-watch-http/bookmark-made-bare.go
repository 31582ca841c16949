//go:build ignore

// Mistake: A bookmark is nothing but a version, so its annotations are taken off, with the mark of the end of
//   the initial events (kubernetes#140890: its reader waits for ever).
// Killed by: through-both-ends
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (f frames) event(what kit.EventType, object any, status *kit.Status) error {
	if what == kit.Error {
		return f.send(what, status)
	}
	if bare, ok := object.(kit.Object); ok && what == kit.Bookmark {
		bare.SetAnnotations(nil)
	}
	return f.send(what, object)
}
