//go:build ignore

// Mistake: A delta whose object has an older version than the newest pending one is taken for late, and dropped.
// Killed by: deltas-in-order
// Verdict: wrong-answer

package deltafifo

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last >= 0 && older(d.Object, deltas[last].Object) {
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

func older(a, b kit.Object) bool {
	x, errX := strconv.Atoi(a.GetResourceVersion())
	y, errY := strconv.Atoi(b.GetResourceVersion())
	return errX == nil && errY == nil && x < y
}
