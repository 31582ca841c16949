//go:build ignore

// Mistake: The first worker that finds jobs closed closes the results, once and for all: the others still
//   have theirs to send.
// Killed by: last-result-of-a-slow-worker
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var once sync.Once
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { defer once.Do(func() { close(results) }); worker(ctx, jobs, results, work) })
	}
	return results
}
