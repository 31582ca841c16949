//go:build ignore

// Mistake: A deletion is dropped if there is any deletion among the pending deltas, not only if it is the
//   last.
// Killed by: adjacent-deletions-are-one
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	for _, old := range deltas {
		if d.Type == kit.DeltaDeleted && old.Type == kit.DeltaDeleted {
			return deltas
		}
	}
	if last < 0 || d.Type != kit.DeltaDeleted || deltas[last].Type != kit.DeltaDeleted {
		return append(deltas, d)
	}
	if deltas[last].FinalStateUnknown {
		deltas[last] = d
	}
	return deltas
}
