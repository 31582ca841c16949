//go:build ignore

// Mistake: What was begun is finished: a report for which the pod was read is written though ctx is done.
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
	c.report(pod, now)
	if _, err := k.Pods.Update(context.WithoutCancel(ctx), pod); err != nil {
		return err
	}
	k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, string(pod.Status.Phase), "The pod is %s, ready: %v", pod.Status.Phase, pod.Status.Ready)
	return nil
}
