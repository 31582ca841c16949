//go:build ignore

// Mistake: What Get has read is not taken over if a handler has shown the pod while it was being bound: that must be newer.
// Killed by: conflict-tries-again
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
		b.queue.moveAll(time.Now())
	}
	if kit.IsNotFound(err) || err == nil && !(same && pending(current)) {
		b.queue.done(b.entry)
		return false
	}
	if same && b.entry.pod == b.pod {
		b.entry.pod = current
	}
	return b.queue.failed(b.entry, time.Now())
}
