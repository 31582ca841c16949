//go:build ignore

// Mistake: All workers share one derived context, and the first that comes to its end cancels it for the others.
// Killed by: work-gets-the-context
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	shared, cancel := context.WithCancel(ctx)
	for range max(workers, 1) {
		wg.Go(func() {
			defer cancel()
			worker(ctx, jobs, results, func(_ context.Context, job J) R { return work(shared, job) })
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
