//go:build ignore

// Mistake: ctx is looked at before the first call of work and after each result: the job that comes next is not covered.
// Killed by: cancel-starts-no-more
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	looked := false
	for {
		var (
			job J
			ok  bool
		)
		select {
		case job, ok = <-jobs:
		case <-ctx.Done():
			return
		}
		if !ok || !looked && ctx.Err() != nil {
			return
		}
		result := work(ctx, job)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
		looked = ctx.Err() == nil
	}
}
