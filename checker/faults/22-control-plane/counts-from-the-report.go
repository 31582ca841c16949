//go:build ignore

// Mistake: A pod runs from the moment on at which the API server has taken that in, and its later times are counted from there.
// Killed by: heartbeats-go-on
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (k *Kubelet) write(ctx context.Context, cached *kit.Pod, c *container, now time.Time) error {
	pod, err := k.Pods.Get(ctx, cached.Namespace, cached.Name)
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if pod.UID != cached.UID || pod.Spec.NodeName != k.Node || !pod.Active() || c.reported(pod, now) {
		return nil
	}
	starts := pod.Status.Phase != kit.PodRunning
	c.report(pod, now)
	if _, err := k.Pods.Update(ctx, pod); err != nil {
		return err
	}
	if starts && pod.Status.Phase == kit.PodRunning && !pod.Status.Ready {
		c.shift(now.Sub(c.started))
	}
	k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, string(pod.Status.Phase), "The pod is %s, ready: %v", pod.Status.Phase, pod.Status.Ready)
	return nil
}

// shift makes all that is still to come later.
func (c *container) shift(by time.Duration) {
	if !c.ready.IsZero() {
		c.ready = c.ready.Add(by)
	}
	if !c.ends.IsZero() {
		c.ends = c.ends.Add(by)
	}
}
