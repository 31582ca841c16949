//go:build ignore

// Mistake: The results are closed where ctx ends and where the work is done: the second one looks at ctx first, and ctx may end
//   after the look.
// Killed by: closes-once-after-the-last
// Verdict: panic

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
	stop := context.AfterFunc(ctx, func() {
		wg.Wait()
		close(results)
	})
	go func() {
		wg.Wait()
		if ctx.Err() == nil {
			stop()
			close(results)
		}
	}()
	return results
}
