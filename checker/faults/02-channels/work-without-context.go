//go:build ignore

// Mistake: work gets a context of its own, so nothing can tell it to stop.
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
		result := work(context.WithoutCancel(ctx), job)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
