//go:build ignore

// Mistake: Cap is left out: after an hour's outage a client comes back an hour late.
// Killed by: waits-longer-each-time
// Verdict: wrong-answer

package reflector

import "github.com/controllerbook/controllerbook/labs/kit"

func newBackoff(b kit.Backoff) backoff {
	if b == (kit.Backoff{}) {
		b = DefaultBackoff()
	}
	b.Cap = 0
	return backoff{initial: b, current: b}
}
