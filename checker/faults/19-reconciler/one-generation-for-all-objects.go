//go:build ignore

// Mistake: The last generation that has passed is remembered, one for all objects: another that reaches it is stopped.
// Killed by: generation-changed
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func GenerationChanged[T kit.Object]() Predicate[T] {
	var last int64
	return Predicate[T]{UpdateFunc: func(oldObj, newObj T) bool {
		if oldObj.GetGeneration() == newObj.GetGeneration() || newObj.GetGeneration() == last {
			return false
		}
		last = newObj.GetGeneration()
		return true
	}}
}
