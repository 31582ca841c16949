//go:build ignore

// Mistake: Times are compared exactly: the pods of one day all go at once.
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
	return cmp.Compare(r.now.Sub(at), r.now.Sub(bt))
}
