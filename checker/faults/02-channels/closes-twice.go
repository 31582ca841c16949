//go:build ignore

// Mistake: The results are closed where the last worker ends, and once more by a deferred close 'to be safe'.
// Killed by: closes-once-after-the-last
// Verdict: panic

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
	go func() {
		defer close(results)
		wg.Wait()
		close(results)
	}()
	return results
}
