//go:build ignore

// Mistake: A call of work that takes more than an hour is thought to hang, and another worker is started in its place.
// Killed by: never-more-than-workers
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() {
			worker(ctx, jobs, results, func(ctx context.Context, job J) R {
				hour, over := context.WithTimeout(context.WithoutCancel(ctx), 3600e9)
				defer over()
				stop := context.AfterFunc(hour, func() {
					wg.Go(func() { worker(ctx, jobs, results, work) })
				})
				defer stop()
				return work(ctx, job)
			})
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
