//go:build ignore

// Mistake: A result that is nil is taken for none, and not sent: for a job whose result is its error, success is nil.
// Killed by: every-job-once
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
		if any(result) == nil {
			continue
		}
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
