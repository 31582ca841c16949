//go:build ignore

// Mistake: A result that is there after the cancel is not lost but replaced by the zero value, which the reader may get.
// Killed by: closed-means-quiet
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := work(ctx, job)
		if ctx.Err() != nil {
			result = *new(R)
		}
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
