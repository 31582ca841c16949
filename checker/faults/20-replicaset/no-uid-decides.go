//go:build ignore

// Mistake: Where times are of one magnitude the next rule decides.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"cmp"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r ranking) newerFirst(at, bt time.Time, a, b *kit.Pod) int {
	switch {
	case at.Equal(bt):
		return 0
	case at.IsZero() || bt.IsZero():
		return falseFirst(!at.IsZero(), !bt.IsZero())
	}
	return cmp.Or(magnitude(r.now.Sub(at)) - magnitude(r.now.Sub(bt)))
}
