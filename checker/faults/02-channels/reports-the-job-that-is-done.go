//go:build ignore

// Mistake: The job is thought to stay the pool's: it is printed when its result, which may be the same object, has been sent.
// Killed by: results-carry-their-memory
// Verdict: data-race

package channels

import (
	"context"
	"fmt"
)

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := work(ctx, job)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
		_ = fmt.Sprint(job)
	}
}
