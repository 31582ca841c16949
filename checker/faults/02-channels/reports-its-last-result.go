//go:build ignore

// Mistake: A worker that is stopped says what it did last, and looks at a result that the reader has had for long.
// Killed by: results-carry-their-memory
// Verdict: data-race

package channels

import (
	"context"
	"fmt"
)

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	var last R
	defer func() {
		if ctx.Err() != nil {
			_ = fmt.Sprint(last)
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
			last = result
		case <-ctx.Done():
			return
		}
	}
}
