//go:build ignore

// Mistake: A result that is context.Canceled is taken for the end of ctx, and ends its worker: work may have cancelled a context of its own.
// Killed by: every-job-once
// Verdict: wrong-answer

package channels

import (
	"context"
	"errors"
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
		if err, failed := any(result).(error); failed && errors.Is(err, context.Canceled) {
			return
		}
	}
}
