//go:build ignore

// Mistake: A pod that is gone is forgotten when its name is gone.
// Killed by: a-kubelet-knows-pods-by-uid
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
	c, now := k.containerOf(cached), time.Now()
	if !c.reported(cached, now) {
		if err := k.write(ctx, cached, c, now); err != nil {
			return now.Add(retryPause)
		}
	}
	return c.next(now)
}
