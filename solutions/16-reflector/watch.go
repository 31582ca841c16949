package reflector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

const (
	minWatchTimeout = 5 * time.Minute
	veryShort       = time.Second // a watch that brings nothing and ends sooner has failed
)

var errVeryShortWatch = errors.New("the watch ended in less than a second without an event")

// errResync marks an error of the store's: whatever kind it is of, the server has not sent it.
var errResync = errors.New("resync")

// follow watches, again and again, and resyncs meanwhile. It returns when the
// next thing to do is a list, or nothing.
//
// The resync goroutine is told to stop and waited for on every way out. One that is
// only told may still be in the store while the next list is put there; one that
// is forgotten stays for ever, and each list adds another (kubernetes#35015).
func (r *Reflector[T]) follow(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait() // after cancel: deferred calls run in reverse
	resyncing, cancel := context.WithCancel(ctx)
	defer cancel()

	// Room for one error, so that the goroutine can leave it behind and end although
	// nobody reads any longer.
	broken := make(chan error, 1)
	beside.Go(func() { r.resync(resyncing, broken) })

	for {
		err := r.watch(ctx, broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil: // it came to its end: go on from where it stood
		case errors.Is(err, errResync):
			return err
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}

// watch is one watch, from the request to its end.
func (r *Reflector[T]) watch(ctx context.Context, broken <-chan error) error {
	began := time.Now()
	from := r.LastSyncResourceVersion()
	w, err := r.lw.Watch(ctx, kit.ListOptions{
		ResourceVersion:     from,
		AllowWatchBookmarks: true,
		TimeoutSeconds:      r.watchTimeout(),
	})
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	defer w.Stop()
	inOrder := from != "" && from != "0"
	events, err := r.consume(ctx, w.ResultChan(), inOrder, broken)
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	if events == 0 && time.Since(began) < veryShort {
		return errVeryShortWatch
	}
	return nil
}

// watchTimeout is random, so that watches that were begun together do not end
// together, and with them all the next ones.
func (r *Reflector[T]) watchTimeout() int64 {
	shortest := r.options.MinWatchTimeout.Seconds()
	return int64(shortest * (1 + rand.Float64()))
}

// consume takes events until the watch ends, and counts them. inOrder says that
// their versions rise from the first event on.
func (r *Reflector[T]) consume(ctx context.Context, events <-chan kit.Event[T], inOrder bool, broken <-chan error) (count int, err error) {
	for {
		select {
		case <-ctx.Done():
			return count, ctx.Err()
		case err := <-broken:
			return count, err
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

// apply brings one event to the store and reports whether it knew what to do with
// it. An error of the store is not the watch's: the watch goes on, as client-go's does.
func (r *Reflector[T]) apply(event kit.Event[T]) bool {
	switch event.Type {
	case kit.Added:
		_ = r.store.Add(event.Object)
	case kit.Modified:
		_ = r.store.Update(event.Object)
	case kit.Deleted:
		_ = r.store.Delete(event.Object)
	case kit.Bookmark: // the version is all there is to it
	default:
		return false
	}
	return true
}

func statusError(status *kit.Status) error {
	if status == nil {
		return kit.NewStatusError(kit.ReasonInternalError, "the server sent an error without a status")
	}
	return &kit.StatusError{ErrStatus: *status}
}

// resync asks the store to resync once in a period, until ctx is done or the
// store fails. The timer starts anew after each resync: unlike a ticker's, its
// ticks do not pile up behind a store that is slow.
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
				return
			}
		}
		timer.Reset(r.options.ResyncPeriod)
	}
}
