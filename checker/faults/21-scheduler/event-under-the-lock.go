//go:build ignore

// Mistake: A recorder never blocks, so the event may as well be recorded under the lock, with a deferred Unlock. One
//   that asks for Pending waits for ever, and a slow one makes all handlers wait.
// Killed by: no-lock-held-outside
// Verdict: deadlock

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (a *attempt) refused(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.queue.refused(a.entry, time.Now()) {
		a.record(a.pod, kit.EventWarning, "FailedScheduling", "%v", err)
	}
}
