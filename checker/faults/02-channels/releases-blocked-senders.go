//go:build ignore

// Mistake: After a cancel the pool takes the jobs of the senders that are blocked so that they get on: what it throws away
//   nobody will do.
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
		for ctx.Err() != nil && cap(jobs) == 0 {
			select {
			case _, ok := <-jobs:
				if ok {
					continue
				}
			default:
			}
			break
		}
		close(results)
	}()
	return results
}
