//go:build ignore

// Mistake: The workers get a context of their own that nobody cancels: it stays registered with the caller's
//   as long as that lives.
// Killed by: leaves-nothing-behind
// Verdict: goroutine-leak

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	ctx, _ = context.WithCancel(ctx)
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
