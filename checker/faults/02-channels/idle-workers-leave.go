//go:build ignore

// Mistake: A worker that has had no job for a minute leaves, down to the last, and never comes back.
// Killed by: all-workers-work
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
	"sync/atomic"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	var left atomic.Int32
	for range max(workers, 1) {
		wg.Go(func() {
			for {
				idle, stop := context.WithTimeout(ctx, 60e9)
				job, ok := receive(idle, jobs)
				tired := !ok && idle.Err() != nil && ctx.Err() == nil
				stop()
				if tired && int(left.Add(1)) < workers {
					return
				}
				if tired {
					left.Add(-1)
					continue
				}
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
