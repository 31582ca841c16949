package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

// LowPriority is the priority of what can wait (handler.LowPriority).
const LowPriority = -100

// For, Owns and Watches are Sources of the kind that Kind is. They differ in which
// requests they make of an object. Of every event they add each request once, also
// where an update names it twice: for the old object and for the new one.
//
// In a kit.PriorityQueue the requests have priority 0, so that news comes first, except
// for these two, which get LowPriority: objects of the initial list, and updates that do
// not change the resource version, which is what a resync brings.

// For names the object itself (handler.EnqueueRequestForObject).
func For[T kit.Object](informer kit.SharedInformer[T], predicates ...Predicate[T]) Source {
	panic(kit.TODO("For"))
}

// Owned is an object that knows which other one controls it.
type Owned interface {
	kit.Object
	ControllerOf() *kit.OwnerReference
}

// Owns names the owner that controls the object, if it has the given kind
// (handler.EnqueueRequestForOwner with OnlyControllerOwner). Of the APIVersion only the
// group counts, that is what stands before the slash, or nothing: an object may keep a
// reference from before an upgrade. The owner is in the namespace of the object.
//
// Of an update both objects count: when an object changes hands, both hands have
// something to do.
func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	panic(kit.TODO("Owns"))
}

// Watches names whatever mapFunc says (handler.EnqueueRequestsFromMapFunc). Of an update
// it is asked about both objects. It may answer nil.
func Watches[T kit.Object](informer kit.SharedInformer[T], mapFunc func(obj T) []kit.Request, predicates ...Predicate[T]) Source {
	panic(kit.TODO("Watches"))
}
