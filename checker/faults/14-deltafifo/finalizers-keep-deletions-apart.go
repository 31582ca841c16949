//go:build ignore

// Mistake: Two deletions are merged only if their objects have as many finalizers.
// Killed by: adjacent-deletions-are-one
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last < 0 || d.Type != kit.DeltaDeleted || deltas[last].Type != kit.DeltaDeleted ||
		len(deltas[last].Object.GetFinalizers()) != len(d.Object.GetFinalizers()) {
		return append(deltas, d)
	}
	if deltas[last].FinalStateUnknown {
		deltas[last] = d
	}
	return deltas
}
