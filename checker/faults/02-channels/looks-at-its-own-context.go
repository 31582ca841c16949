//go:build ignore

// Mistake: The workers listen to a context that is derived from ctx, which ends later than ctx if ctx has a foreign type.
// Killed by: cancel-starts-no-more
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	own, cancel := context.WithCancel(ctx)
	results := make(chan R)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { worker(own, jobs, results, work) })
	}
	go func() {
		wg.Wait()
		cancel()
		close(results)
	}()
	return results
}
