package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

// Predicate decides which events a handler hears of.
type Predicate[T kit.Object] struct {
	AddFunc    func(obj T) bool
	UpdateFunc func(oldObj, newObj T) bool
	DeleteFunc func(obj T) bool
}

// GenerationChanged lets an update pass if it changes the generation.
func GenerationChanged[T kit.Object]() Predicate[T] {
	var p Predicate[T]
	p.AddFunc = func(T) bool { return true }
	p.UpdateFunc = func(oldObj, newObj T) bool { return newObj.GetGeneration() != oldObj.GetGeneration() }
	p.DeleteFunc = func(T) bool { return true }
	return p
}

// behind puts a handler behind one predicate.
func behind[T kit.Object](p Predicate[T], next kit.ResourceEventHandler[T]) kit.ResourceEventHandler[T] {
	return kit.ResourceEventHandlerFuncs[T]{
		AddFunc: func(obj T, isInInitialList bool) {
			if p.AddFunc == nil || p.AddFunc(obj) {
				next.OnAdd(obj, isInInitialList)
			}
		},
		UpdateFunc: func(oldObj, newObj T) {
			if p.UpdateFunc == nil || p.UpdateFunc(oldObj, newObj) {
				next.OnUpdate(oldObj, newObj)
			}
		},
		DeleteFunc: func(obj T, finalStateUnknown bool) {
			if p.DeleteFunc == nil || p.DeleteFunc(obj) {
				next.OnDelete(obj, finalStateUnknown)
			}
		},
	}
}
