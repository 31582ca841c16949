//go:build ignore

// Mistake: The lock is for those who write the error. Start alone reads it, so it needs no lock for that.
// Killed by: blocked-source
// Verdict: data-race

package reconciler

import (
	"context"
	"sync"
)

func each(ctx context.Context, sources []Source, do func(Source) error) error {
	var mu sync.Mutex
	var first error
	var all sync.WaitGroup
	for _, s := range sources {
		all.Go(func() {
			err := do(s)
			mu.Lock()
			defer mu.Unlock()
			if first == nil {
				first = err
			}
		})
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	if first != nil {
		return first
	}
	return ctx.Err()
}
