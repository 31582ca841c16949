//go:build ignore

// Mistake: A deadline so far away is thought to harm nobody: work that plans its time by the deadline of its context sees it.
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
		year, cancel := context.WithTimeout(ctx, 365*24*3600e9)
		result := work(year, job)
		cancel()
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}
