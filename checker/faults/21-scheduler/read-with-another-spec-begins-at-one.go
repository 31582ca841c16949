//go:build ignore

// Mistake: If Get returns the pod with another spec, its failures begin at one again.
// Killed by: backoff-doubles
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
	if same {
		if !kit.Pods.SameSpec(current, b.pod) {
			b.entry.failures = 0
		}
		b.entry.pod = current
	}
	return b.queue.failed(b.entry, time.Now())
}
