//go:build ignore

// Mistake: A context that cannot end has a path of its own, on which nobody closes the results.
// Killed by: closes-when-done
// Verdict: deadlock

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	if ctx.Done() == nil {
		return results
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
