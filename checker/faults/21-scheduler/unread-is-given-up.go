//go:build ignore

// Mistake: If Get fails after a failed Update, there is no pod to put back into a queue, and the attempt
//   is over.
// Killed by: failed-binding-gives-back
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
	if !same || !pending(current) {
		b.queue.done(b.entry)
		return false
	}
	b.entry.pod = current
	return b.queue.failed(b.entry, time.Now())
}
