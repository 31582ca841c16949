//go:build ignore

// Mistake: A goroutine waits for the end of ctx to cut a pause short, and waits on when the pause is over: one more
//   with every watch that brings nothing.
// Killed by: stop-releases-everything
// Verdict: goroutine-leak

package watchhttp

import (
	"context"
	"time"
)

func sleep(ctx context.Context, d time.Duration) {
	over := make(chan struct{}, 2)
	timer := time.AfterFunc(d, func() { over <- struct{}{} })
	go func() {
		<-ctx.Done()
		timer.Stop()
		over <- struct{}{}
	}()
	<-over
}
