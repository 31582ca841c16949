//go:build ignore

// Mistake: A worker takes a new context after a thousand jobs, and cancels the old one a job too early.
// Killed by: work-gets-the-context
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	own, cancel := context.WithCancel(ctx)
	defer func() { cancel() }()
	done := 0
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		if done++; done == 1000 {
			cancel()
		}
		result := work(own, job)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
		if done == 1000 {
			own, cancel = context.WithCancel(ctx)
		}
	}
}
