//go:build ignore

// Mistake: It will sync. So WaitForSync waits, and looks at nothing else.
// Killed by: kind-waits-for-its-handler
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"time"
)

func (k *kind[T]) WaitForSync(ctx context.Context) error {
	ticker := time.NewTicker(syncPoll)
	defer ticker.Stop()
	for !k.registration.HasSynced() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}
