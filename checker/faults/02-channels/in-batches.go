//go:build ignore

// Mistake: A batch of jobs is started, all of them are waited for, then the next batch: the slowest of each
//   batch sets the pace.
// Killed by: slow-job-holds-up-nobody
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	batch := func() (more bool) {
		var each sync.WaitGroup
		defer each.Wait()
		for range max(workers, 1) {
			job, ok := receive(ctx, jobs)
			if !ok {
				return false
			}
			each.Go(func() {
				select {
				case results <- work(ctx, job):
				case <-ctx.Done():
				}
			})
		}
		return true
	}
	wg.Go(func() {
		for batch() {
		}
	})
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
