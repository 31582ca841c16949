//go:build ignore

// Mistake: A Jitter of more than 1 is taken for 1.
// Killed by: waits-longer-each-time
// Verdict: wrong-answer

package reflector

import "github.com/controllerbook/controllerbook/labs/kit"

func newBackoff(b kit.Backoff) backoff {
	if b == (kit.Backoff{}) {
		b = DefaultBackoff()
	}
	b.Jitter = min(b.Jitter, 1)
	return backoff{initial: b, current: b}
}
