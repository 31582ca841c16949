//go:build ignore

// Mistake: More workers than jobs has room for are thought to find nothing, and are not started.
// Killed by: all-workers-work
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	if room := cap(jobs); room > 0 {
		workers = min(workers, room)
	}
	results := make(chan R)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}
