//go:build ignore

// Mistake: Steps 0 is taken for a field that was left out, and the waits grow.
// Killed by: waits-longer-each-time
// Verdict: wrong-answer

package reflector

import "github.com/controllerbook/controllerbook/labs/kit"

func newBackoff(b kit.Backoff) backoff {
	if b == (kit.Backoff{}) {
		b = DefaultBackoff()
	}
	if b.Steps == 0 {
		b.Steps = DefaultBackoff().Steps
	}
	return backoff{initial: b, current: b}
}
