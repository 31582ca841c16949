//go:build ignore

// Mistake: A binding has failed, and that is an event, also if a handler has reported before that the pod counts where it
//   did.
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
	case !b.cache.assumed(b.pod.UID):
		b.queue.moveAll(time.Now())
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
