//go:build ignore

// Mistake: A node that somebody else has created in the meantime is there, and so the heartbeat counts as sent.
// Killed by: heartbeats-go-on
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (k *Kubelet) heartbeat(ctx context.Context) {
	var err error
	for range beatTries {
		if err = k.report(ctx); !kit.IsConflict(err) {
			break
		}
	}
	k.beat = time.Now().Add(k.Heartbeat)
	if err != nil && !kit.IsAlreadyExists(err) {
		k.beat = time.Now().Add(retryPause)
	}
}
