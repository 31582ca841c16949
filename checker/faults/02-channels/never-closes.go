//go:build ignore

// Mistake: The results are never closed: the author's own test reads as many results as there were jobs and
//   notices nothing.
// Killed by: closes-when-done
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
	return results
}
