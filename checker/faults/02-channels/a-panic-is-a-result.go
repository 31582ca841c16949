//go:build ignore

// Mistake: A panic whose value has the type of a result is sent as one.
// Killed by: panic-ends-the-process
// Verdict: wrong-answer

package channels

import (
	"context"
)

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := attempt(ctx, work, job)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}

func attempt[J, R any](ctx context.Context, work func(ctx context.Context, job J) R, job J) (result R) {
	defer func() {
		switch value := recover().(type) {
		case nil:
		case R:
			result = value
		default:
			panic(value)
		}
	}()
	return work(ctx, job)
}
