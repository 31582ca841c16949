//go:build ignore

// Mistake: A pod that was found ready is called not ready, where its Life says that it never gets so.
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
		c.ready = c.started.Add(life.Ready)
	}
	if pod.Status.Phase == kit.PodRunning && pod.Status.Ready && life.Ready >= 0 {
		c.ready = now
	}
	if life.Ends > 0 {
		c.ends = c.started.Add(life.Ends)
	}
	k.running[pod.UID] = c
	return c
}
