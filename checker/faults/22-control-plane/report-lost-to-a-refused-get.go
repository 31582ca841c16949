//go:build ignore

// Mistake: A pod that cannot be read is one that is gone, and nobody has to hear of it any longer.
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
	if err != nil {
		return nil
	}
	if pod.UID != cached.UID || pod.Spec.NodeName != k.Node || !pod.Active() || c.reported(pod, now) {
		return nil
	}
	c.report(pod, now)
	if _, err := k.Pods.Update(ctx, pod); err != nil {
		return err
	}
	k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, string(pod.Status.Phase), "The pod is %s, ready: %v", pod.Status.Phase, pod.Status.Ready)
	return nil
}
