//go:build ignore

// Mistake: The loop that starts the workers counts from one: the caller's own goroutine is taken for a worker
//   too.
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
	for range max(workers-1, 1) {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
