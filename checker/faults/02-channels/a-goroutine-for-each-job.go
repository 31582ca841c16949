//go:build ignore

// Mistake: Every job gets a goroutine of its own: go is cheap, so the number of workers bounds only the
//   receivers.
// Killed by: never-more-than-workers
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	var each sync.WaitGroup
	defer each.Wait()
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		each.Go(func() {
			select {
			case results <- work(ctx, job):
			case <-ctx.Done():
			}
		})
	}
}
