//go:build ignore

// Mistake: A heartbeat that meets a conflict is not worth another try: the next one comes in ten seconds.
// Killed by: heartbeats-go-on
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

const beatTries = 1

func (k *Kubelet) heartbeat(ctx context.Context) {
	var err error
	for range beatTries {
		if err = k.report(ctx); !kit.IsConflict(err) && !kit.IsAlreadyExists(err) {
			break
		}
	}
	k.beat = time.Now().Add(k.Heartbeat)
	if err != nil {
		k.beat = time.Now().Add(k.Heartbeat)
	}
}
