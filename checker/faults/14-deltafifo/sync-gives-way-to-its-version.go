//go:build ignore

// Mistake: A resync has queued the object already, so what comes behind it in the same version takes its place.
// Killed by: resync-skips-the-pending
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last >= 0 && deltas[last].Type == kit.DeltaSync && d.Type != kit.DeltaDeleted && d.Object.GetResourceVersion() == deltas[last].Object.GetResourceVersion() {
		deltas[last] = d
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
