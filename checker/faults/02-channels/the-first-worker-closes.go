//go:build ignore

// Mistake: One worker waits for the others when it ends, and closes; it does so, too, when its work has panicked.
// Killed by: panic-ends-the-process
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var others sync.WaitGroup
	for range max(workers, 1) - 1 {
		others.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		defer func() {
			others.Wait()
			close(results)
		}()
		worker(ctx, jobs, results, work)
	}()
	return results
}
