//go:build ignore

// Mistake: A call of work that runs past the deadline of ctx is left alone, and the results are closed: after a cancel it is waited
//   for.
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
		done := make(chan R, 1)
		go func() { done <- work(ctx, job) }()
		var result R
		select {
		case result = <-done:
		case <-ctx.Done():
			if ctx.Err() == context.DeadlineExceeded {
				return
			}
			result = <-done
		}
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
