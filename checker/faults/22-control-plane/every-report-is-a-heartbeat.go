//go:build ignore

// Mistake: The kubelet is awake, so that it may as well report its node: once more costs nothing.
// Killed by: heartbeats-go-on
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"
)

func (k *Kubelet) sync(ctx context.Context) {
	now := time.Now()
	k.heartbeat(ctx)
	due := k.take()
	for key, at := range k.later {
		if !now.Before(at) {
			due[key] = struct{}{}
		}
	}
	for key := range due {
		delete(k.later, key)
		if at := k.look(ctx, key); !at.IsZero() {
			k.later[key] = at
		}
	}
}
