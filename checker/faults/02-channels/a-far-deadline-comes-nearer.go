//go:build ignore

// Mistake: A caller with a deadline is thought to want one for each call: it is a month, unless ctx ends before.
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
		result := call(ctx, job, work)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}

func call[J, R any](ctx context.Context, job J, work func(ctx context.Context, job J) R) R {
	if _, limit := ctx.Deadline(); !limit {
		return work(ctx, job)
	}
	month, cancel := context.WithTimeout(ctx, 30*24*3600e9)
	defer cancel()
	return work(month, job)
}
