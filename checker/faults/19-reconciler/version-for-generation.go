//go:build ignore

// Mistake: The resource version changes when the object does, and with every status.
// Killed by: generation-changed
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func GenerationChanged[T kit.Object]() Predicate[T] {
	return Predicate[T]{UpdateFunc: func(oldObj, newObj T) bool {
		return oldObj.GetResourceVersion() != newObj.GetResourceVersion()
	}}
}
