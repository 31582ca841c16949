//go:build ignore

// Mistake: An Updated or Replaced delta with the very object that is pending already is taken for no news.
// Killed by: deltas-in-order
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last >= 0 && d.Type != kit.DeltaDeleted && any(deltas[last].Object) == any(d.Object) {
		return deltas
	}
	if last < 0 || d.Type != kit.DeltaDeleted || deltas[last].Type != kit.DeltaDeleted {
		return append(deltas, d)
	}
	if deltas[last].FinalStateUnknown {
		deltas[last] = d
	}
	return deltas
}
