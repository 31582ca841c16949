//go:build ignore

// Mistake: A worker keeps what it has sent, for a line in a log at its end.
// Killed by: results-carry-their-memory
// Verdict: data-race

package channels

import (
	"context"
	"fmt"
)

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	var sent []R
	defer func() { _ = fmt.Sprint(sent) }()
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := work(ctx, job)
		select {
		case results <- result:
			sent = append(sent, result)
		case <-ctx.Done():
			return
		}
	}
}
