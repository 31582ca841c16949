package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

// Predicate decides which events a handler hears of (predicate.TypedFuncs). A nil
// function lets everything pass.
type Predicate[T kit.Object] struct {
	AddFunc    func(obj T) bool
	UpdateFunc func(oldObj, newObj T) bool
	DeleteFunc func(obj T) bool
}

// GenerationChanged lets an update pass only if it changes the generation, that is, the spec;
// additions and deletions pass (predicate.GenerationChangedPredicate). It keeps a
// controller that writes a status from waking itself.
func GenerationChanged[T kit.Object]() Predicate[T] {
	panic(kit.TODO("GenerationChanged"))
}
