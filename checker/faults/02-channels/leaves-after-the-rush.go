//go:build ignore

// Mistake: After a rush of jobs, workers that have nothing to do for a minute are thought to be too many, and leave.
// Killed by: all-workers-work
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for done := 0; ; done++ {
		idle, stop := ctx, context.CancelFunc(func() {})
		if done > 20 {
			idle, stop = context.WithTimeout(ctx, 60e9)
		}
		job, ok := receive(idle, jobs)
		stop()
		if !ok {
			return
		}
		select {
		case results <- work(ctx, job):
		case <-ctx.Done():
			return
		}
	}
}
