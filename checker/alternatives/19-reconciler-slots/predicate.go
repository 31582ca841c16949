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
	return Predicate[T]{UpdateFunc: func(oldObj, newObj T) bool {
		return oldObj.GetGeneration() != newObj.GetGeneration()
	}}
}

// filtered is a handler that hears of what every predicate lets pass.
type filtered[T kit.Object] struct {
	handler    kit.ResourceEventHandler[T]
	predicates []Predicate[T]
}

func (f filtered[T]) OnAdd(obj T, isInInitialList bool) {
	for _, p := range f.predicates {
		if p.AddFunc != nil && !p.AddFunc(obj) {
			return
		}
	}
	f.handler.OnAdd(obj, isInInitialList)
}

func (f filtered[T]) OnUpdate(oldObj, newObj T) {
	for _, p := range f.predicates {
		if p.UpdateFunc != nil && !p.UpdateFunc(oldObj, newObj) {
			return
		}
	}
	f.handler.OnUpdate(oldObj, newObj)
}

func (f filtered[T]) OnDelete(obj T, finalStateUnknown bool) {
	for _, p := range f.predicates {
		if p.DeleteFunc != nil && !p.DeleteFunc(obj) {
			return
		}
	}
	f.handler.OnDelete(obj, finalStateUnknown)
}
