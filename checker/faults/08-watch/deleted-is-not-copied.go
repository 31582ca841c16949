//go:build ignore

// Mistake: The object of a Deleted event is not copied, because it is gone; all readers get the same one.
// Killed by: watchers-share-nothing
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) deliver(events []kit.Event[T]) bool {
	for i, event := range events {
		events[i] = kit.Event[T]{}
		if x.options.Namespace == "" || x.options.Namespace == event.Object.GetNamespace() {
			if event.Type != kit.Deleted {
				event.Object = x.source.typ.DeepCopy(event.Object)
			}
			if !x.send(event) {
				return false
			}
		}
		x.position.Add(1)
	}
	return true
}
