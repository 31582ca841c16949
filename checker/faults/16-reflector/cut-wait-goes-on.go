//go:build ignore

// Mistake: A wait that is cut short counts up to the moment at which it would have ended: the reflector that is run again
//   two minutes later waits as if it had failed just now.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import (
	"context"
	"time"
)

func (b *backoff) wait(ctx context.Context) {
	timer := time.NewTimer(b.step())
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
