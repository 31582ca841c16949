//go:build ignore

// Mistake: A tombstone carries no object, because its final state is unknown (kubernetes#8822).
// Killed by: replace-finds-the-missing
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func tombstone[T kit.Object](last T) kit.Delta[T] {
	return kit.Delta[T]{Type: kit.DeltaDeleted, FinalStateUnknown: true}
}
