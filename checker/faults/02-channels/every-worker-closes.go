//go:build ignore

// Mistake: Each worker closes the channel when it has no more jobs; the second close is a panic, and so is a
//   send after the first.
// Killed by: last-result-of-a-slow-worker
// Verdict: wrong-answer (the channel is found closed before the panic of the next send can come)

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { defer close(results); worker(ctx, jobs, results, work) })
	}
	return results
}
