//go:build ignore

// Mistake: A result that comes after the end of ctx is replaced by the error of ctx, where it can be an error.
// Killed by: closed-means-quiet
// Verdict: wrong-answer

package channels

import (
	"context"
)

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := work(ctx, job)
		if ended, ok := any(ctx.Err()).(R); ok && ctx.Err() != nil {
			result = ended
		}
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
