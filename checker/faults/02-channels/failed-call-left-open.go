//go:build ignore

// Mistake: Each call has a context of its own, which is cancelled after a success only.
// Killed by: leaves-nothing-behind
// Verdict: goroutine-leak

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
	own, cancel := context.WithCancel(ctx)
	result := work(own, job)
	if err, ok := any(result).(error); ok && err != nil {
		return result
	}
	cancel()
	return result
}
