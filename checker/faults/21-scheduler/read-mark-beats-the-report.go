//go:build ignore

// Mistake: Get says that the pod has no node and is being deleted, so it counts nowhere, though a handler has reported it on
//   one.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) settle(current *kit.Pod, err error) (again bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	same := err == nil && current.UID == b.pod.UID
	switch {
	case same && current.Spec.NodeName == "" && current.DeletionTimestamp != nil:
		b.cache.remove(b.pod.UID)
		b.queue.moveAll(time.Now())
	case !b.cache.assumed(b.pod.UID):
	case same && counts(current):
		b.place(current)
	default:
		b.cache.remove(b.pod.UID)
		b.queue.moveAll(time.Now())
	}
	if kit.IsNotFound(err) || err == nil && !(same && pending(current)) {
		b.queue.done(b.entry)
		return false
	}
	if same {
		b.entry.pod = current
	}
	return b.queue.failed(b.entry, time.Now())
}
