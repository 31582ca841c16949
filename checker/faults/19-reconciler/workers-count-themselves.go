//go:build ignore

// Mistake: A worker knows best when it begins, so it adds itself to the WaitGroup. Start may have stopped waiting by then.
// Killed by: stop-lets-reconciles-finish
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"sync"
)

func (c *Controller) work(ctx context.Context) error {
	var workers sync.WaitGroup
	for range c.options.MaxConcurrentReconciles {
		go func() {
			workers.Add(1)
			defer workers.Done()
			for c.next(ctx) {
			}
		}()
	}
	<-ctx.Done()
	c.queue.ShutDown()
	workers.Wait()
	return nil
}

// each does not look at ctx when all have answered: the workers find out.
func each(ctx context.Context, sources []Source, do func(Source) error) error {
	errs := make(chan error, len(sources))
	for _, s := range sources {
		go func() { errs <- do(s) }()
	}
	for range sources {
		select {
		case err := <-errs:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
