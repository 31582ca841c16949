//go:build ignore

// Mistake: A worker rests for a moment after some hundred jobs, to be kind to the service behind it.
// Killed by: every-job-once
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	done := 0
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
		if done++; done%200 == 0 {
			rest, stop := context.WithTimeout(ctx, 1e6)
			<-rest.Done()
			stop()
		}
	}
}
