package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

// Predicate decides which events a handler hears of. A nil function lets everything pass.
type Predicate[T kit.Object] struct {
	AddFunc    func(obj T) bool
	UpdateFunc func(oldObj, newObj T) bool
	DeleteFunc func(obj T) bool
}

func (p Predicate[T]) add(obj T) bool { return p.AddFunc == nil || p.AddFunc(obj) }
func (p Predicate[T]) update(oldObj, obj T) bool {
	return p.UpdateFunc == nil || p.UpdateFunc(oldObj, obj)
}
func (p Predicate[T]) delete(obj T) bool { return p.DeleteFunc == nil || p.DeleteFunc(obj) }

// GenerationChanged lets an update pass if it changes the generation.
func GenerationChanged[T kit.Object]() Predicate[T] {
	return Predicate[T]{UpdateFunc: func(oldObj, newObj T) bool {
		return oldObj.GetGeneration() != newObj.GetGeneration()
	}}
}

// filtered is a handler that hears of what all predicates let pass.
type filtered[T kit.Object] struct {
	handler    kit.ResourceEventHandler[T]
	predicates []Predicate[T]
}

func (f filtered[T]) OnAdd(obj T, isInInitialList bool) {
	if f.all(func(p Predicate[T]) bool { return p.add(obj) }) {
		f.handler.OnAdd(obj, isInInitialList)
	}
}

func (f filtered[T]) OnUpdate(oldObj, newObj T) {
	if f.all(func(p Predicate[T]) bool { return p.update(oldObj, newObj) }) {
		f.handler.OnUpdate(oldObj, newObj)
	}
}

func (f filtered[T]) OnDelete(obj T, finalStateUnknown bool) {
	if f.all(func(p Predicate[T]) bool { return p.delete(obj) }) {
		f.handler.OnDelete(obj, finalStateUnknown)
	}
}

func (f filtered[T]) all(pass func(p Predicate[T]) bool) bool {
	for _, p := range f.predicates {
		if !pass(p) {
			return false
		}
	}
	return true
}
