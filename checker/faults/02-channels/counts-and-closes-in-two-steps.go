//go:build ignore

// Mistake: The last worker closes the results, but it counts down in one step and looks in another: two
//   workers can both see zero.
// Killed by: closes-once-after-the-last
// Verdict: panic

package channels

import (
	"context"
	"sync/atomic"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var left atomic.Int32
	left.Store(int32(max(workers, 1)))
	for range max(workers, 1) {
		go func() {
			worker(ctx, jobs, results, work)
			left.Add(-1)
			if left.Load() == 0 {
				close(results)
			}
		}()
	}
	return results
}
