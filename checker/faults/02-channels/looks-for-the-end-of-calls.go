//go:build ignore

// Mistake: When ctx has ended, the goroutine that closes looks again and again whether calls of work still run.
// Killed by: idle-costs-nothing
// Verdict: timeout

package channels

import (
	"context"
	"sync"
	"sync/atomic"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	var running atomic.Int32
	for range max(workers, 1) {
		running.Add(1)
		wg.Go(func() {
			defer running.Add(-1)
			worker(ctx, jobs, results, work)
		})
	}
	over := make(chan struct{})
	go func() {
		wg.Wait()
		close(over)
	}()
	go func() {
		select {
		case <-over:
		case <-ctx.Done():
			for running.Load() > 0 {
			}
		}
		wg.Wait()
		close(results)
	}()
	return results
}
