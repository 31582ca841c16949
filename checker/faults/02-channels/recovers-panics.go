//go:build ignore

// Mistake: The worker is kept alive at any price: a panic of work is recovered, and its job is forgotten.
// Killed by: panic-ends-the-process
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	defer func() { _ = recover() }()
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
	}
}
