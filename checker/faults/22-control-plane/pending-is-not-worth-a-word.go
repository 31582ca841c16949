//go:build ignore

// Mistake: A pod that has not started has no phase, and so its status should have none, whatever stands there.
// Killed by: a-kubelet-takes-over
// Verdict: wrong-answer

package controlplane

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *container) state(now time.Time) (phase kit.PodPhase, ready bool) {
	switch {
	case now.Before(c.started):
		return "", false
	case !c.ends.IsZero() && !now.Before(c.ends):
		return c.phase, false
	}
	return kit.PodRunning, !c.ready.IsZero() && !now.Before(c.ready)
}
