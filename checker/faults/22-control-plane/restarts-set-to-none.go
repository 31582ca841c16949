//go:build ignore

// Mistake: A report sets the whole status, and the restarts of before are forgotten.
// Killed by: a-kubelet-takes-over
// Verdict: wrong-answer

package controlplane

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *container) report(pod *kit.Pod, now time.Time) {
	phase, ready := c.state(now)
	if pod.Status.Ready != ready {
		pod.Status.ReadySince = now
	}
	pod.Status = kit.PodStatus{Phase: phase, Ready: ready, ReadySince: pod.Status.ReadySince}
}
