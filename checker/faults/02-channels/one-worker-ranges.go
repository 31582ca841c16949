//go:build ignore

// Mistake: A single worker gets a simple loop, a range over jobs: it listens to nothing else, and sleeps through a cancel.
// Killed by: cancel-while-idle
// Verdict: deadlock

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	if workers <= 1 {
		wg.Go(func() {
			for job := range jobs {
				if ctx.Err() != nil {
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
	for i := 0; workers > 1 && i < workers; i++ {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
