//go:build ignore

// Mistake: Whatever comes before the informer has synced is taken for the initial list, changes and deletions too.
// Killed by: the-old-can-wait
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func Watches[T kit.Object](informer kit.SharedInformer[T], mapFunc func(obj T) []kit.Request, predicates ...Predicate[T]) Source {
	handler := func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return untilSynced[T]{mapped[T]{withPriorities(queue), mapFunc}, informer}
	}
	return Kind(informer, handler, predicates...)
}

type untilSynced[T kit.Object] struct {
	mapped[T]

	informer kit.SharedInformer[T]
}

func (u untilSynced[T]) OnUpdate(oldObj, newObj T) {
	u.add(!u.informer.HasSynced() || oldObj.GetResourceVersion() == newObj.GetResourceVersion(), oldObj, newObj)
}

func (u untilSynced[T]) OnDelete(obj T, _ bool) { u.add(!u.informer.HasSynced(), obj) }
