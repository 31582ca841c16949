//go:build ignore

// Mistake: An object that is listed again in the version of its tombstone was never gone, so Replaced takes the place
//   of the tombstone.
// Killed by: replace-keeps-what-is-pending
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last >= 0 && d.Type == kit.DeltaReplaced && deltas[last].FinalStateUnknown &&
		deltas[last].Object.GetResourceVersion() == d.Object.GetResourceVersion() {
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
