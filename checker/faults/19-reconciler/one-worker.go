//go:build ignore

// Mistake: One loop that gets and reconciles; the option is read by nobody.
// Killed by: as-many-at-once-as-allowed
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"sync"
)

func (c *Controller) work(ctx context.Context) error {
	var workers sync.WaitGroup
	for range 1 {
		workers.Go(func() {
			for c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	c.queue.ShutDown()
	workers.Wait()
	return nil
}
