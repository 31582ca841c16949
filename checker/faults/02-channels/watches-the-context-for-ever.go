//go:build ignore

// Mistake: A goroutine waits for ctx to log the end of the pool; if ctx never ends, neither does the
//   goroutine (controller-runtime#649).
// Killed by: leaves-nothing-behind
// Verdict: goroutine-leak

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
		wg.Wait()
		close(results)
	}()
	go func() {
		<-ctx.Done()
		wg.Wait()
	}()
	return results
}
