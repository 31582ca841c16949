//go:build ignore

// Mistake: work gets a context that is cancelled together with the caller's, but has neither its deadline nor
//   its cause.
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
		own, end := context.WithCancel(context.WithoutCancel(ctx))
		stop := context.AfterFunc(ctx, end)
		result := work(own, job)
		stop()
		end()
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
