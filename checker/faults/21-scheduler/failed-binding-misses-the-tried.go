//go:build ignore

// Mistake: A failed binding wakes the pods that wait, and those that are being tried are not thought of.
// Killed by: event-during-an-attempt
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
	case !b.cache.assumed(b.pod.UID):
	case same && counts(current):
		b.place(current)
	default:
		b.cache.remove(b.pod.UID)
		q := &b.queue
		for len(q.unschedulable.entries) > 0 {
			q.move(q.unschedulable.entries[0], time.Now())
		}
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
