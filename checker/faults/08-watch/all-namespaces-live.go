//go:build ignore

// Mistake: The namespace is asked of the objects that there are, and not of the changes that follow.
// Killed by: namespaces-apart
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) deliver(events []kit.Event[T]) bool {
	for i, event := range events {
		events[i] = kit.Event[T]{}
		if x.options.Namespace == "" || event.Object.GetNamespace() != "" {
			event.Object = x.source.typ.DeepCopy(event.Object)
			if !x.send(event) {
				return false
			}
		}
		x.position.Add(1)
	}
	return true
}
