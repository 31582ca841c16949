//go:build ignore

// Mistake: A dispatcher receives the jobs and hands them on, so one job more is always in its hand.
// Killed by: holds-no-more-than-workers
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	inner := make(chan J)
	wg.Go(func() {
		defer close(inner)
		for {
			job, ok := receive(ctx, jobs)
			if !ok {
				return
			}
			select {
			case inner <- job:
			case <-ctx.Done():
				return
			}
		}
	})
	for range max(workers, 1) {
		wg.Go(func() { worker(ctx, inner, results, work) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
