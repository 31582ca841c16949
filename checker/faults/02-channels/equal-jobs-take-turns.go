//go:build ignore

// Mistake: Equal jobs are worked on one after the other, as a work queue does: a worker holds a job that it cannot start.
// Killed by: all-workers-work
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	var turns sync.Map
	for range max(workers, 1) {
		wg.Go(func() {
			worker(ctx, jobs, results, func(ctx context.Context, job J) R {
				turn, _ := turns.LoadOrStore(any(job), make(chan struct{}, 1))
				turn.(chan struct{}) <- struct{}{}
				defer func() { <-turn.(chan struct{}) }()
				return work(ctx, job)
			})
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
