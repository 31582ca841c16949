//go:build ignore

// Mistake: Pool itself waits for the workers and closes; they wait for a reader that has not been given the
//   channel.
// Killed by: returns-at-once
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
	wg.Wait()
	close(results)
	return results
}
