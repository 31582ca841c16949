//go:build ignore

// Mistake: A result that is an error is sent without listening to ctx.
// Killed by: cancel-with-nobody-reading
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
		if _, failed := any(result).(error); failed {
			results <- result
			continue
		}
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
