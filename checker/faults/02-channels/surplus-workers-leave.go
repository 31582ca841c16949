//go:build ignore

// Mistake: A worker that finds no job after its first one is thought to be surplus, and ends: nobody is there for the next burst.
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
			for first := true; ; first = false {
				var (
					job J
					ok  bool
				)
				select {
				case job, ok = <-jobs:
				default:
					if !first && int(left.Add(1)) < workers {
						return
					}
					job, ok = receive(ctx, jobs)
				}
				if !ok || ctx.Err() != nil {
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
