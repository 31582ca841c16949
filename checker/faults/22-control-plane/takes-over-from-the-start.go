//go:build ignore

// Mistake: A kubelet that starts waits for Life.Start again before it counts the time until a running pod is ready.
// Killed by: a-kubelet-takes-over
// Verdict: wrong-answer

package controlplane

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (k *Kubelet) containerOf(pod *kit.Pod) *container {
	if c := k.running[pod.UID]; c != nil {
		return c
	}
	now, life := time.Now(), k.Life(pod)
	c := &container{key: kit.Key(pod), started: now, phase: life.Phase}
	if c.phase == "" {
		c.phase = kit.PodFailed
	}
	if pod.Status.Phase != kit.PodRunning {
		c.started = now.Add(life.Start)
	}
	if life.Ready >= 0 {
		c.ready = now.Add(life.Start + life.Ready)
	}
	if pod.Status.Phase == kit.PodRunning && pod.Status.Ready {
		c.ready = now
	}
	if life.Ends > 0 {
		c.ends = c.started.Add(life.Ends)
	}
	k.running[pod.UID] = c
	return c
}
