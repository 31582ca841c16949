//go:build ignore

// Mistake: All watchers get the same object: a write to it is a write to everybody's.
// Killed by: watchers-share-nothing
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) deliver(events []kit.Event[T]) bool {
	for i, event := range events {
		events[i] = kit.Event[T]{}
		if x.options.Namespace == "" || x.options.Namespace == event.Object.GetNamespace() {
			if !x.send(event) {
				return false
			}
		}
		x.position.Add(1)
	}
	return true
}
