//go:build ignore

// Mistake: The result is sent without listening to ctx: a reader that leaves strands every worker
//   (kubernetes#38670, kubernetes#25331).
// Killed by: cancel-with-nobody-reading
// Verdict: goroutine-leak

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := work(ctx, job)
		results <- result
	}
}
