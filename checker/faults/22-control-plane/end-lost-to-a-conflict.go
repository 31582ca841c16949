//go:build ignore

// Mistake: A report that a pod has ended is given up after a conflict: nothing is due for this pod any longer.
// Killed by: heartbeats-go-on
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
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
		err := k.write(ctx, cached, c, now)
		if ended := !c.ends.IsZero() && !now.Before(c.ends); err != nil && !(ended && kit.IsConflict(err)) {
			return now.Add(retryPause)
		}
	}
	return c.next(now)
}
