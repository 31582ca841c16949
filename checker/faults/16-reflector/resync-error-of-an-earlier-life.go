//go:build ignore

// Mistake: The channel for the error of a resync is made once, in New. An error that nobody has read is read by the
//   next ListAndWatch.
// Killed by: resync-ends-with-its-watches
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Reflector[T kit.Object] struct {
	lw          kit.ListerWatcher[T]
	store       kit.DeltaStore[T]
	options     Options
	backoff     backoff
	unavailable bool
	broken      chan error

	mu      sync.RWMutex // guards version
	version string
}

func New[T kit.Object](lw kit.ListerWatcher[T], store kit.DeltaStore[T], options Options) *Reflector[T] {
	options.MinWatchTimeout = max(options.MinWatchTimeout, minWatchTimeout)
	return &Reflector[T]{lw: lw, store: store, options: options, backoff: newBackoff(options.Backoff), broken: make(chan error, 1)}
}

func (r *Reflector[T]) follow(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	resyncing, cancel := context.WithCancel(ctx)
	defer cancel()
	own := make(chan error, 1)
	beside.Go(func() {
		r.resync(resyncing, own)
		select {
		case err := <-own:
			select {
			case r.broken <- err:
			default:
			}
		default:
		}
	})

	for {
		err := r.watch(ctx, r.broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case errors.Is(err, errResync):
			return err
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}
