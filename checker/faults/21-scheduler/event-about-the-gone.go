//go:build ignore

// Mistake: The end of an attempt without a node is an event, also if the pod was deleted, has failed or got a node meanwhile, and waits
//   for none.
// Killed by: gone-in-flight
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (a *attempt) refused(err error) {
	a.mu.Lock()
	a.queue.refused(a.entry, time.Now())
	a.mu.Unlock()
	a.record(a.pod, kit.EventWarning, "FailedScheduling", "%v", err)
}
