//go:build ignore

// Mistake: A generation is only ever counted up. Not where an object was deleted and made again between two
//   looks.
// Killed by: generation-changed
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func GenerationChanged[T kit.Object]() Predicate[T] {
	return Predicate[T]{UpdateFunc: func(oldObj, newObj T) bool {
		return oldObj.GetGeneration() < newObj.GetGeneration()
	}}
}
