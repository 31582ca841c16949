//go:build ignore

// Mistake: After a cancel the closer waits half a minute for the calls of work that run, and then closes all the same.
// Killed by: closed-means-quiet
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	gone := make(chan struct{})
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		wg.Wait()
		close(gone)
	}()
	go func() {
		defer close(results)
		select {
		case <-gone:
			return
		case <-ctx.Done():
		}
		patience, stop := context.WithTimeout(context.Background(), 30e9)
		defer stop()
		select {
		case <-gone:
		case <-patience.Done():
		}
	}()
	return results
}
