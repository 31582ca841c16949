//go:build ignore

// Mistake: ctx is looked at before the pool starts and not again between two jobs.
// Killed by: cancel-starts-no-more
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	if ctx.Err() != nil {
		return
	}
	for {
		select {
		case job, ok := <-jobs:
			if !ok {
				return
			}
			result := work(ctx, job)
			select {
			case results <- result:
			case <-ctx.Done():
			}
		case <-ctx.Done():
			return
		}
	}
}
