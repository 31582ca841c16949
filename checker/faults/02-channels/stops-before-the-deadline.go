//go:build ignore

// Mistake: The pool stops a moment before the deadline, to have closed by then.
// Killed by: closes-when-done
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	until, stop := ctx, context.CancelFunc(func() {})
	if deadline, limit := ctx.Deadline(); limit {
		until, stop = context.WithDeadline(ctx, deadline.Add(-1e6))
	}
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() {
			worker(until, jobs, results, func(_ context.Context, job J) R { return work(ctx, job) })
		})
	}
	go func() {
		wg.Wait()
		stop()
		close(results)
	}()
	return results
}
