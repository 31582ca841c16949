//go:build ignore

// Mistake: A tombstone takes the place of the deletion that was seen, because it is newer.
// Killed by: deletion-beats-tombstone
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last < 0 || d.Type != kit.DeltaDeleted || deltas[last].Type != kit.DeltaDeleted {
		return append(deltas, d)
	}
	if d.FinalStateUnknown || deltas[last].FinalStateUnknown {
		deltas[last] = d
	}
	return deltas
}
