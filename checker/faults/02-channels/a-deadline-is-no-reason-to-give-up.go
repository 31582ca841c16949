//go:build ignore

// Mistake: A result that is there when the deadline of ctx passes is only late: it is sent all the same.
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
		select {
		case results <- result:
		case <-ctx.Done():
			if ctx.Err() == context.DeadlineExceeded {
				results <- result
			}
			return
		}
	}
}
