//go:build ignore

// Mistake: The informer has synced, so the handler has. The handler's buffer is full all the same.
//   controller-runtime#3406.
// Killed by: kind-waits-for-its-handler
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"
	"time"
)

func (k *kind[T]) WaitForSync(ctx context.Context) error {
	ticker := time.NewTicker(syncPoll)
	defer ticker.Stop()
	for !k.informer.HasSynced() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("a handler has not heard of all objects yet: %w", ctx.Err())
		}
	}
	return nil
}
