//go:build ignore

// Mistake: A deadline that passes is thought to be the reason of each panic that comes after it, and the panic is recovered.
// Killed by: panic-ends-the-process
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	defer func() {
		if ctx.Err() == context.DeadlineExceeded {
			_ = recover()
		}
	}()
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
