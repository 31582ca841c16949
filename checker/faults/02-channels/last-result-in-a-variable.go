//go:build ignore

// Mistake: Workers keep statistics about the results in a plain variable that they share.
// Killed by: results-carry-their-memory
// Verdict: data-race

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	done := 0
	counted := func(ctx context.Context, job J) R {
		done++
		return work(ctx, job)
	}
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { worker(ctx, jobs, results, counted) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
