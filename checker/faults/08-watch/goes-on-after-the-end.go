//go:build ignore

// Mistake: A send that the end of the watch has refused is passed over, and the rest of the batch is still tried: if a reader makes room meanwhile, it gets a change after a gap.
// Killed by: timeout-ends-cleanly
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *watcher[T]) deliver(events []kit.Event[T]) bool {
	sent := true
	for i, event := range events {
		events[i] = kit.Event[T]{}
		if x.options.Namespace == "" || x.options.Namespace == event.Object.GetNamespace() {
			event.Object = x.source.typ.DeepCopy(event.Object)
			sent = x.send(event) && sent
		}
		x.position.Add(1)
	}
	return sent
}
