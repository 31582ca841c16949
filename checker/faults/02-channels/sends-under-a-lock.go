//go:build ignore

// Mistake: Workers take turns at the reader under a mutex: the one that waits for it holds the mutex, and the others cannot listen
//   to ctx.
// Killed by: idle-costs-nothing
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
				job, ok := receive(ctx, jobs)
				if !ok {
					return
				}
				result := work(ctx, job)
				turn.Lock()
				select {
				case results <- result:
				case <-ctx.Done():
				}
				turn.Unlock()
			}
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
