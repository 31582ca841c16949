//go:build ignore

// Mistake: A result that is there after the cancel is sent without a way out: nobody reads, and the pool never closes.
// Killed by: cancel-with-nobody-reading
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
			results <- result
			return
		}
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
