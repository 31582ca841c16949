//go:build ignore

// Mistake: The worker looks whether an event has overtaken the attempt, tells the Recorder, and then parks the pod. An event
//   that comes while the Recorder is called is lost.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (a *attempt) refused(err error) {
	a.mu.Lock()
	overtaken, gone := a.queue.overtaken(a.entry), a.entry.gone
	a.mu.Unlock()
	if !gone {
		a.record(a.pod, kit.EventWarning, "FailedScheduling", "%v", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if overtaken {
		a.queue.failed(a.entry, time.Now())
	} else if a.queue.back(a.entry, time.Now()) {
		a.queue.put(&a.queue.unschedulable, a.entry, time.Now().Add(maxUnschedulable))
	}
}
