package reconciler

import (
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// LowPriority is the priority of requests that can wait (handler.LowPriority).
const LowPriority = -100

// adder adds requests to a queue, each once for each event.
type adder struct {
	queue  kit.RateLimitingQueue[kit.Request]
	urgent kit.PriorityQueue[kit.Request] // nil if the queue knows no priorities
}

func newAdder(queue kit.RateLimitingQueue[kit.Request]) adder {
	urgent, _ := queue.(kit.PriorityQueue[kit.Request])
	return adder{queue, urgent}
}

func (a adder) add(low bool, lists ...[]kit.Request) {
	seen := map[kit.Request]bool{}
	for _, list := range lists {
		for _, request := range list {
			if seen[request] {
				continue
			}
			seen[request] = true
			if low && a.urgent != nil {
				priority := LowPriority
				a.urgent.AddWithOpts(kit.AddOpts{Priority: &priority}, request)
			} else {
				a.queue.Add(request)
			}
		}
	}
}

// mapped is a handler made of a function that names requests.
func mapped[T kit.Object](queue kit.RateLimitingQueue[kit.Request], names func(obj T) []kit.Request) kit.ResourceEventHandler[T] {
	a := newAdder(queue)
	return kit.ResourceEventHandlerFuncs[T]{
		AddFunc: func(obj T, isInInitialList bool) {
			a.add(isInInitialList, names(obj))
		},
		UpdateFunc: func(oldObj, newObj T) {
			a.add(oldObj.GetResourceVersion() == newObj.GetResourceVersion(), names(oldObj), names(newObj))
		},
		DeleteFunc: func(obj T, _ bool) {
			a.add(false, names(obj))
		},
	}
}

// For names the object itself.
func For[T kit.Object](informer kit.SharedInformer[T], predicates ...Predicate[T]) Source {
	handler := func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		a := newAdder(queue)
		return kit.ResourceEventHandlerFuncs[T]{
			AddFunc: func(obj T, isInInitialList bool) {
				a.add(isInInitialList, []kit.Request{kit.RequestFor(obj)})
			},
			UpdateFunc: func(oldObj, newObj T) {
				low := oldObj.GetResourceVersion() == newObj.GetResourceVersion()
				a.add(low, []kit.Request{kit.RequestFor(newObj)})
			},
			DeleteFunc: func(obj T, _ bool) {
				a.add(false, []kit.Request{kit.RequestFor(obj)})
			},
		}
	}
	return Kind(informer, handler, predicates...)
}

// Owned is an object that knows which other object controls it.
type Owned interface {
	kit.Object
	ControllerOf() *kit.OwnerReference
}

// Owns names the owner that controls the object.
func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	want := group(owner.APIVersion)
	names := func(obj T) []kit.Request {
		if ref := obj.ControllerOf(); ref != nil && ref.Kind == owner.Kind && group(ref.APIVersion) == want {
			return []kit.Request{{Namespace: obj.GetNamespace(), Name: ref.Name}}
		}
		return nil
	}
	return Kind(informer, func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return mapped(queue, names)
	}, predicates...)
}

func group(apiVersion string) string {
	if i := strings.IndexByte(apiVersion, '/'); i >= 0 {
		return apiVersion[:i]
	}
	return ""
}

// Watches adds the requests that mapFunc returns.
func Watches[T kit.Object](informer kit.SharedInformer[T], mapFunc func(obj T) []kit.Request, predicates ...Predicate[T]) Source {
	return Kind(informer, func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return mapped(queue, mapFunc)
	}, predicates...)
}
