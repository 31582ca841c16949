//go:build ignore

// Mistake: Many workers are thought to need a small buffer, so that one need not wait for another at the send.
// Killed by: holds-no-more-than-workers
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R, max(0, min(workers/16, 1)))
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
