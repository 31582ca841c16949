//go:build ignore

// Mistake: Workers take turns at jobs under a mutex: the one that waits for a job holds it, and the others cannot listen to ctx.
// Killed by: all-workers-work
// Verdict: timeout

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	var turn sync.Mutex
	for range max(workers, 1) {
		wg.Go(func() {
			for {
				turn.Lock()
				job, ok := receive(ctx, jobs)
				turn.Unlock()
				if !ok {
					return
				}
				select {
				case results <- work(ctx, job):
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
