//go:build ignore

// Mistake: The wait is a time.Sleep, which nothing can interrupt (kubernetes#116435).
// Killed by: stops-in-a-backoff
// Verdict: wrong-answer

package reflector

import (
	"context"
	"time"
)

func (b *backoff) wait(ctx context.Context) {
	time.Sleep(b.step())
}
