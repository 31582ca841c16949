//go:build ignore

// Mistake: What Get has read makes the pod count, unless a handler has shown where it counts: that one has shown since
//   that it counts nowhere is not remembered.
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
	case b.cache.has(b.pod.UID) && !b.cache.assumed(b.pod.UID):
	case same && counts(current):
		b.place(current)
	default:
		if b.cache.remove(b.pod.UID) {
			b.queue.moveAll(time.Now())
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
