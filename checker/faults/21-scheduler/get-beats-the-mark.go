//go:build ignore

// Mistake: Get was called last, so it knows best. A handler has shown the pod as being deleted meanwhile, and Get has answered
//   with the state before that: the pod is tried again.
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
	assumed := b.cache.assumed(b.pod.UID)
	switch {
	case !assumed:
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
		b.entry.gone = b.entry.gone && !assumed
	}
	return b.queue.failed(b.entry, time.Now())
}
