//go:build ignore

// Mistake: A report that was refused is forgotten: the pod will change again.
// Killed by: heartbeats-go-on
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"
)

func (k *Kubelet) look(ctx context.Context, key string) time.Time {
	cached, exists := k.PodCache.GetByKey(key)
	if !exists || cached.Spec.NodeName != k.Node || !cached.Active() {
		k.forget(key, "")
		return time.Time{}
	}
	k.forget(key, cached.UID)
	c, now := k.containerOf(cached), time.Now()
	if !c.reported(cached, now) {
		if err := k.write(ctx, cached, c, now); err != nil {
			return c.next(now)
		}
	}
	return c.next(now)
}
