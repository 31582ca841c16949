package reconciler

import (
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

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
	return Watches(informer, func(obj T) []kit.Request {
		return []kit.Request{kit.RequestFor(obj)}
	}, predicates...)
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
	group := groupOf(owner.APIVersion)
	return Watches(informer, func(obj T) []kit.Request {
		ref := obj.ControllerOf()
		if ref == nil || ref.Kind != owner.Kind || groupOf(ref.APIVersion) != group {
			return nil
		}
		return []kit.Request{{Namespace: obj.GetNamespace(), Name: ref.Name}}
	}, predicates...)
}

// Watches adds the requests that mapFunc returns (handler.EnqueueRequestsFromMapFunc).
// Of an update it calls mapFunc for both objects. mapFunc may return nil.
func Watches[T kit.Object](informer kit.SharedInformer[T], mapFunc func(obj T) []kit.Request, predicates ...Predicate[T]) Source {
	return Kind(informer, func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return enqueuer[T]{withPriorities(queue), mapFunc}
	}, predicates...)
}

func groupOf(apiVersion string) string {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return ""
	}
	return group
}

// enqueuer adds what mapFunc says of the objects of an event.
type enqueuer[T kit.Object] struct {
	queue   kit.PriorityQueue[kit.Request]
	mapFunc func(obj T) []kit.Request
}

func (e enqueuer[T]) OnAdd(obj T, isInInitialList bool) {
	e.add(isInInitialList, obj)
}

func (e enqueuer[T]) OnUpdate(oldObj, newObj T) {
	e.add(oldObj.GetResourceVersion() == newObj.GetResourceVersion(), oldObj, newObj)
}

func (e enqueuer[T]) OnDelete(obj T, _ bool) {
	e.add(false, obj)
}

func (e enqueuer[T]) add(low bool, objs ...T) {
	var requests []kit.Request
	for _, obj := range objs {
		for _, r := range e.mapFunc(obj) {
			if !slices.Contains(requests, r) {
				requests = append(requests, r)
			}
		}
	}
	if len(requests) == 0 {
		return
	}
	priority := 0
	if low {
		priority = LowPriority
	}
	e.queue.AddWithOpts(kit.AddOpts{Priority: &priority}, requests...)
}
