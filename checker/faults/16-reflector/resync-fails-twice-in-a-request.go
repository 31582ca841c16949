//go:build ignore

// Mistake: After an error the resync goes on. The room for one error is enough beside a wait, in which somebody reads,
//   and not beside a request.
// Killed by: resync-ends-with-its-watches
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) follow(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	resyncing, cancel := context.WithCancel(ctx)
	defer cancel()

	broken := make(chan error, 1)
	beside.Go(func() { r.resync(resyncing, broken) })

	for {
		err := r.watch(ctx, broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case errors.Is(err, errResync):
			return err
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			timer := time.NewTimer(r.backoff.step())
			select {
			case <-ctx.Done():
				r.backoff.until = time.Now()
			case err := <-broken:
				r.backoff.until = time.Now()
				return err
			case <-timer.C:
			}
		default:
			return err
		}
	}
}

func (r *Reflector[T]) resync(ctx context.Context, broken chan<- error) {
	if r.options.ResyncPeriod == 0 {
		return
	}
	timer := time.NewTimer(r.options.ResyncPeriod)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if r.options.ShouldResync == nil || r.options.ShouldResync() {
			if err := r.store.Resync(); err != nil {
				broken <- fmt.Errorf("%w: %w", errResync, err)
			}
		}
		timer.Reset(r.options.ResyncPeriod)
	}
}
