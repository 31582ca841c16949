//go:build ignore

// Mistake: A deletion of the version that the tombstone has is taken for no news, and the tombstone stays.
// Killed by: deletion-beats-tombstone
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last < 0 || d.Type != kit.DeltaDeleted || deltas[last].Type != kit.DeltaDeleted {
		return append(deltas, d)
	}
	if deltas[last].FinalStateUnknown && d.Object.GetResourceVersion() != deltas[last].Object.GetResourceVersion() {
		deltas[last] = d
	}
	return deltas
}
