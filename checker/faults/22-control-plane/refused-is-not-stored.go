//go:build ignore

// Mistake: A report whose answer is an error was not stored, so the same status is sent again.
// Killed by: a-kubelet-takes-over
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// container remembers the version of the pod after the last report that was answered.
type container struct {
	key     string
	started time.Time
	ready   time.Time
	ends    time.Time
	phase   kit.PodPhase
	written uint64
}

func (k *Kubelet) write(ctx context.Context, cached *kit.Pod, c *container, now time.Time) error {
	pod, err := k.Pods.Get(ctx, cached.Namespace, cached.Name)
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if pod.UID != cached.UID || pod.Spec.NodeName != k.Node || !pod.Active() || version(pod) == c.written && c.reported(pod, now) {
		return nil
	}
	c.report(pod, now)
	stored, err := k.Pods.Update(ctx, pod)
	if err != nil {
		return err
	}
	c.written = version(stored)
	k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, string(pod.Status.Phase), "The pod is %s, ready: %v", pod.Status.Phase, pod.Status.Ready)
	return nil
}
