package reconciler

import (
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// LowPriority is the priority of what can wait (handler.LowPriority).
const LowPriority = -100

// For names the object itself (handler.EnqueueRequestForObject).
func For[T kit.Object](informer kit.SharedInformer[T], predicates ...Predicate[T]) Source {
	return Kind(informer, func(q kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return handlerOf(q, func(obj T, add func(kit.Request)) { add(kit.RequestFor(obj)) })
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
	group := func(v string) string {
		if i := strings.IndexByte(v, '/'); i >= 0 {
			return v[:i]
		}
		return ""
	}
	return Kind(informer, func(q kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return handlerOf(q, func(obj T, add func(kit.Request)) {
			if c := obj.ControllerOf(); c != nil && c.Kind == owner.Kind && group(c.APIVersion) == group(owner.APIVersion) {
				add(kit.Request{Namespace: obj.GetNamespace(), Name: c.Name})
			}
		})
	}, predicates...)
}

// Watches adds the requests that mapFunc returns (handler.EnqueueRequestsFromMapFunc).
// Of an update it calls mapFunc for both objects. mapFunc may return nil.
func Watches[T kit.Object](informer kit.SharedInformer[T], mapFunc func(obj T) []kit.Request, predicates ...Predicate[T]) Source {
	return Kind(informer, func(q kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return handlerOf(q, func(obj T, add func(kit.Request)) {
			for _, r := range mapFunc(obj) {
				add(r)
			}
		})
	}, predicates...)
}

// handlerOf adds each request by itself, as it comes.
func handlerOf[T kit.Object](q kit.RateLimitingQueue[kit.Request], names func(obj T, add func(kit.Request))) kit.ResourceEventHandler[T] {
	event := func(low bool) func(kit.Request) {
		seen := map[kit.Request]struct{}{}
		return func(r kit.Request) {
			if _, again := seen[r]; again {
				return
			}
			seen[r] = struct{}{}
			if p, ok := q.(kit.PriorityQueue[kit.Request]); ok && low {
				priority := LowPriority
				p.AddWithOpts(kit.AddOpts{Priority: &priority}, r)
				return
			}
			q.Add(r)
		}
	}
	return kit.ResourceEventHandlerFuncs[T]{
		AddFunc: func(obj T, initial bool) { names(obj, event(initial)) },
		UpdateFunc: func(oldObj, newObj T) {
			add := event(oldObj.GetResourceVersion() == newObj.GetResourceVersion())
			names(newObj, add)
			names(oldObj, add)
		},
		DeleteFunc: func(obj T, _ bool) { names(obj, event(false)) },
	}
}
