//go:build ignore

// Mistake: The worker tells the Recorder, and then parks the pod unless it is gone. A pod that got a node while the Recorder was called is
//   unschedulable after that.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (a *attempt) refused(err error) {
	a.mu.Lock()
	gone := a.entry.gone
	a.mu.Unlock()
	if !gone {
		a.record(a.pod, kit.EventWarning, "FailedScheduling", "%v", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !gone && a.cache.has(a.entry.pod.UID) {
		a.entry.gone = false
	}
	a.queue.refused(a.entry, time.Now())
}
