//go:build ignore

// Mistake: A pool of many workers is watched: a goroutine waits for ctx, and stays when the jobs are done.
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
	if workers > 16 {
		go func() { <-ctx.Done() }()
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
