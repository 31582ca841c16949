//go:build ignore

// Mistake: After a result that is an error has been sent, its text is read for a log.
// Killed by: results-carry-their-memory
// Verdict: data-race

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
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
		if err, failed := any(result).(error); failed {
			_ = err.Error()
		}
	}
}
