//go:build ignore

// Mistake: The results of the last jobs are too good to lose: when jobs is closed, they are sent without listening to ctx.
// Killed by: cancel-with-nobody-reading
// Verdict: goroutine-leak
// Without: worker

package channels

import (
	"context"
	"sync"
	"sync/atomic"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	var over atomic.Bool
	for range max(workers, 1) {
		wg.Go(func() {
			for {
				job, ok := receive(ctx, jobs)
				if !ok {
					over.Store(true)
					return
				}
				result := work(ctx, job)
				if over.Load() {
					results <- result
					continue
				}
				select {
				case results <- result:
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
