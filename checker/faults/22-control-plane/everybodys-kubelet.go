//go:build ignore

// Mistake: A kubelet runs every pod it hears of.
// Killed by: a-kubelet-runs-its-pods
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (k *Kubelet) notice(pods ...*kit.Pod) {
	k.mu.Lock()
	for _, pod := range pods {
		k.dirty[kit.Key(pod)] = struct{}{}
	}
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

func (k *Kubelet) look(ctx context.Context, key string) time.Time {
	cached, exists := k.PodCache.GetByKey(key)
	if !exists || !cached.Active() {
		k.forget(key, "")
		return time.Time{}
	}
	k.forget(key, cached.UID)
	c, now := k.containerOf(cached), time.Now()
	if !c.reported(cached, now) {
		if err := k.write(ctx, cached, c, now); err != nil {
			return now.Add(retryPause)
		}
	}
	return c.next(now)
}

func (k *Kubelet) write(ctx context.Context, cached *kit.Pod, c *container, now time.Time) error {
	pod, err := k.Pods.Get(ctx, cached.Namespace, cached.Name)
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if pod.UID != cached.UID || !pod.Active() || c.reported(pod, now) {
		return nil
	}
	c.report(pod, now)
	if _, err := k.Pods.Update(ctx, pod); err != nil {
		return err
	}
	k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, string(pod.Status.Phase), "The pod is %s, ready: %v", pod.Status.Phase, pod.Status.Ready)
	return nil
}
