package reconciler

import (
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// LowPriority is the priority of what can wait.
const LowPriority = -100

// For names the object itself.
func For[T kit.Object](informer kit.SharedInformer[T], predicates ...Predicate[T]) Source {
	return Watches(informer, func(obj T) []kit.Request { return []kit.Request{kit.RequestFor(obj)} }, predicates...)
}

// Owned is an object that knows which other one controls it.
type Owned interface {
	kit.Object
	ControllerOf() *kit.OwnerReference
}

// Owns names the owner that controls the object, if it has the given kind.
func Owns[T Owned](informer kit.SharedInformer[T], owner kit.TypeMeta, predicates ...Predicate[T]) Source {
	toOwner := func(obj T) []kit.Request {
		ref := obj.ControllerOf()
		if ref == nil || ref.Kind != owner.Kind || group(ref.APIVersion) != group(owner.APIVersion) {
			return nil
		}
		return []kit.Request{{Namespace: obj.GetNamespace(), Name: ref.Name}}
	}
	return Watches(informer, toOwner, predicates...)
}

// group is "apps" for "apps/v1", and "" for "v1".
func group(apiVersion string) string {
	if name, _, ok := strings.Cut(apiVersion, "/"); ok {
		return name
	}
	return ""
}

// Watches names whatever mapFunc says.
func Watches[T kit.Object](informer kit.SharedInformer[T], mapFunc func(obj T) []kit.Request, predicates ...Predicate[T]) Source {
	handler := func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return mapped[T]{withPriorities(queue), mapFunc}
	}
	return Kind(informer, handler, predicates...)
}

// mapped adds to a queue what mapFunc makes of objects.
type mapped[T kit.Object] struct {
	queue   kit.PriorityQueue[kit.Request]
	mapFunc func(obj T) []kit.Request
}

func (m mapped[T]) OnAdd(obj T, isInInitialList bool) { m.add(isInInitialList, obj) }

// OnUpdate asks about the old object, too: one that has changed hands is named by its
// former owner nowhere else.
func (m mapped[T]) OnUpdate(oldObj, newObj T) {
	m.add(oldObj.GetResourceVersion() == newObj.GetResourceVersion(), oldObj, newObj)
}

// OnDelete makes no difference between a deletion that was seen and one that was
// found out: the reconciler looks for itself.
func (m mapped[T]) OnDelete(obj T, _ bool) { m.add(false, obj) }

// add adds each request once. The queue would merge them, but a rate limiter counts.
func (m mapped[T]) add(canWait bool, objs ...T) {
	var requests []kit.Request
	for _, obj := range objs {
		for _, r := range m.mapFunc(obj) {
			if !slices.Contains(requests, r) {
				requests = append(requests, r)
			}
		}
	}
	m.queue.AddWithOpts(kit.AddOpts{Priority: priority(canWait)}, requests...)
}

func priority(canWait bool) *int {
	if !canWait {
		return nil
	}
	low := LowPriority
	return &low
}
