//go:build ignore

// Mistake: An attempt at a pod that is no longer pending is over, so what is kept of the pod goes, and with it where
//   somebody else has put it.
// Killed by: gone-in-flight
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (a *attempt) refused(err error) {
	a.mu.Lock()
	waits := a.queue.refused(a.entry, time.Now())
	if !waits {
		delete(a.cache.pods, a.pod.UID)
	}
	a.mu.Unlock()
	if waits {
		a.record(a.pod, kit.EventWarning, "FailedScheduling", "%v", err)
	}
}
