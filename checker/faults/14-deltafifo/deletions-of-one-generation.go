//go:build ignore

// Mistake: Two deletions are taken for one only if their objects have the same generation.
// Killed by: adjacent-deletions-are-one
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last < 0 || d.Type != kit.DeltaDeleted || deltas[last].Type != kit.DeltaDeleted {
		return append(deltas, d)
	}
	if d.Object.GetGeneration() != deltas[last].Object.GetGeneration() {
		return append(deltas, d)
	}
	if deltas[last].FinalStateUnknown {
		deltas[last] = d
	}
	return deltas
}
