//go:build ignore

// Mistake: The pod is read right before the report, and that it is another one by now is not noticed.
// Killed by: a-kubelet-knows-pods-by-uid
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
	if pod.Spec.NodeName != k.Node || !pod.Active() || c.reported(pod, now) {
		return nil
	}
	c.report(pod, now)
	if _, err := k.Pods.Update(ctx, pod); err != nil {
		return err
	}
	k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, string(pod.Status.Phase), "The pod is %s, ready: %v", pod.Status.Phase, pod.Status.Ready)
	return nil
}
