//go:build ignore

// Mistake: What Get has returned is kept if spec or labels have changed. But the version is another with any change.
// Killed by: conflict-tries-again
// Verdict: wrong-answer

package scheduler

import (
	"maps"
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
	if same && !(kit.Pods.SameSpec(current, b.entry.pod) && maps.Equal(current.Labels, b.entry.pod.Labels)) {
		b.entry.pod = current
	}
	return b.queue.failed(b.entry, time.Now())
}
