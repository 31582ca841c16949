//go:build ignore

// Mistake: The cache says that the pod has not ended, and the API server is asked only whether it is the same one.
// Killed by: a-kubelet-takes-over
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
	if pod.UID != cached.UID || pod.Spec.NodeName != k.Node || pod.DeletionTimestamp != nil || c.reported(pod, now) {
		return nil
	}
	c.report(pod, now)
	if _, err := k.Pods.Update(ctx, pod); err != nil {
		return err
	}
	k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, string(pod.Status.Phase), "The pod is %s, ready: %v", pod.Status.Phase, pod.Status.Ready)
	return nil
}
