//go:build ignore

// Mistake: The pool empties jobs on its way out so that the sender gets on: what it throws away nobody will
//   do.
// Killed by: leaves-jobs-alone
// Verdict: wrong-answer

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
		for ctx.Err() != nil && len(jobs) > 0 {
			<-jobs
		}
		close(results)
	}()
	return results
}
