//go:build ignore

// Mistake: The goroutine that closes the results holds a lock of the package while it waits for the workers.
// Killed by: two-pools-in-a-row
// Verdict: deadlock

package channels

import (
	"context"
	"sync"
)

var closing sync.Mutex

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		closing.Lock()
		defer closing.Unlock()
		wg.Wait()
		close(results)
	}()
	return results
}
