//go:build ignore

// Mistake: The resync is one more case of the select, with a new timer for each event: where there are events
//   it never goes off.
// Killed by: resyncs-each-period
// Verdict: wrong-answer

package reflector

import (
	"context"
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
	_ = resyncing

	for {
		err := r.watch(ctx, broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}

func (r *Reflector[T]) consume(ctx context.Context, events <-chan kit.Event[T], inOrder bool, broken <-chan error) (count int, err error) {
	for {
		select {
		case <-ctx.Done():
			return count, ctx.Err()
		case <-r.due():
			if err := r.store.Resync(); err != nil {
				return count, err
			}
		case event, ok := <-events:
			if !ok {
				return count, nil
			}
			count++
			if event.Type == kit.Error {
				return count, statusError(event.Status)
			}
			if !r.apply(event) {
				continue
			}
			inOrder = inOrder || event.Type != kit.Added
			if inOrder {
				r.publish(event.Object.GetResourceVersion())
			}
		}
	}
}

func (r *Reflector[T]) due() <-chan time.Time {
	if r.options.ResyncPeriod == 0 {
		return nil
	}
	return time.After(r.options.ResyncPeriod)
}
