//go:build ignore

// Mistake: A list that has the object in the version that was added says nothing new, so the Added delta is
//   enough.
// Killed by: replace-keeps-what-is-pending
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last >= 0 && deltas[last].Type == kit.DeltaAdded && d.Type == kit.DeltaReplaced && d.Object.GetResourceVersion() == deltas[last].Object.GetResourceVersion() {
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
