//go:build ignore

// Mistake: What the handler has heard of by now is among the pods in the cache, so Run begins with an empty set.
// Killed by: a-kubelet-takes-over
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"time"
)

func (k *Kubelet) Run(ctx context.Context) error {
	pods, err := k.PodCache.ByIndex(NodeIndex, k.Node)
	if err != nil {
		return fmt.Errorf("kubelet %s: %w", k.Node, err)
	}
	k.take() // it should have been emptied before the look
	k.notice(pods...)
	k.beat = time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-k.wake:
		case <-timer.C:
		}
		k.sync(ctx)
		timer.Reset(time.Until(k.next()))
	}
}
