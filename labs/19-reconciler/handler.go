package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

// LowPriority is the priority of requests that can wait (handler.LowPriority).
const LowPriority = -100

// For, Owns and Watches return Sources like those of Kind. They differ in which
// requests they make of an object. For every event they add each request once, also if
// an update names it twice, for the old object and for the new one. They change no object:
// all who read the informer's cache share it.
//
// In a kit.PriorityQueue the requests have priority 0, so that news comes first, with
// two exceptions, which get LowPriority: objects of the initial list, and updates that do
// not change the resource version, which is what a resync brings.

// For names the object itself (handler.EnqueueRequestForObject).
func For[T kit.Object](informer kit.SharedInformer[T], predicates ...Predicate[T]) Source {
	panic(kit.TODO("For"))
}

// Owned is an object that knows which other object controls it.
type Owned interface {
	kit.Object
	ControllerOf() *kit.OwnerReference
}

// Owns names the owner that controls the object, if it has the given kind
// (handler.EnqueueRequestForOwner with OnlyControllerOwner). Of the APIVersion only the
// group counts, which is the part before the slash, or nothing: an object may keep a
// reference from before an upgrade. The owner is in the namespace of the object.
//
// For an update both objects count: when an object changes hands, both owners have
// something to do.
func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	panic(kit.TODO("Owns"))
}

// Watches adds the requests that mapFunc returns, as they are, also those without a namespace
// (handler.EnqueueRequestsFromMapFunc). For an update it calls mapFunc for both objects. A
// request that mapFunc returns twice is added once. mapFunc may return nil. It may return the
// same slice each time, or a part of a longer one: Watches writes neither into it nor behind its
// end.
func Watches[T kit.Object](informer kit.SharedInformer[T], mapFunc func(obj T) []kit.Request, predicates ...Predicate[T]) Source {
	panic(kit.TODO("Watches"))
}
