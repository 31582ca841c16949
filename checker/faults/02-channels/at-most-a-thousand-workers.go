//go:build ignore

// Mistake: A number of workers that is too large for a good idea is cut down.
// Killed by: all-workers-work
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	for range min(max(workers, 1), 1024) {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
