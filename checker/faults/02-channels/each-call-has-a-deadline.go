//go:build ignore

// Mistake: Each call of work has an hour: a job that takes longer is cut short, and nobody has asked for that.
// Killed by: work-gets-the-context
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		call, cancel := context.WithTimeout(ctx, 3600e9)
		result := work(call, job)
		cancel()
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
