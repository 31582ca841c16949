// Package reflector is lab 16 with a timer that calls: each resync runs in time.AfterFunc
// and sets the timer again. A mutex is held during the call, so that the end can wait for it.
package reflector

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a Reflector. The zero value is good for use.
type Options struct {
	// ResyncPeriod is how often the store is asked to Resync. 0 is never.
	ResyncPeriod time.Duration
	// ShouldResync is asked each time a resync is due; only if it says yes is the
	// store asked. Nil is always yes.
	ShouldResync func() bool
	// Backoff says how long to wait after each failure. The zero value is
	// DefaultBackoff. A reflector never gives up: Steps only bounds how often the
	// wait grows, and with Steps 0 it never does.
	Backoff kit.Backoff
	// MinWatchTimeout is the shortest time after which a watch is to end by itself;
	// the longest is twice that. Less than five minutes is taken for five minutes:
	// watches that are begun anew all the time are a load on the server.
	MinWatchTimeout time.Duration
	// Run calls OnError with every error that ListAndWatch returns, before the wait
	// that follows. OnError must return quickly. Nil is allowed.
	OnError func(err error)
}

// DefaultBackoff is client-go's: 0.8 s at first, then twice as long each time up
// to 30 s, and each wait stretched by a random part of up to itself, so that a
// thousand nodes that lost the server in the same second do not come back in the same second.
func DefaultBackoff() kit.Backoff {
	return kit.Backoff{Duration: 800 * time.Millisecond, Factor: 2, Jitter: 1, Steps: 38, Cap: 30 * time.Second}
}

// Reflector makes a store reflect what an API server has (client-go cache.Reflector).
type Reflector[T kit.Object] struct {
	lw      kit.ListerWatcher[T]
	store   kit.DeltaStore[T]
	options Options
	backoff backoff

	version atomic.Value // string: the last version published

	newest bool // the server lacks our version: ask for "" until a list succeeds
}

// New makes a reflector that keeps store up to date with what lw says. It asks for
// nothing and starts nothing.
func New[T kit.Object](lw kit.ListerWatcher[T], store kit.DeltaStore[T], options Options) *Reflector[T] {
	if options.Backoff == (kit.Backoff{}) {
		options.Backoff = DefaultBackoff()
	}
	options.MinWatchTimeout = max(options.MinWatchTimeout, 5*time.Minute)
	r := &Reflector[T]{lw: lw, store: store, options: options, backoff: newBackoff(options.Backoff)}
	r.version.Store("")
	return r
}

// Run calls ListAndWatch again and again until ctx is done, and waits one step of
// the backoff between the calls, whether they returned an error or nil. It returns
// as soon as ctx is done, also in the middle of such a wait.
func (r *Reflector[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.ListAndWatch(ctx); err != nil && r.options.OnError != nil {
			r.options.OnError(err)
		}
		r.backoff.wait(ctx)
	}
}

// ListAndWatch lists, puts the list into the store, and then follows the changes by one watch
// after the other until it has to list again.
func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	if ctx.Err() != nil {
		return nil
	}
	err := r.list(ctx)
	if err == nil {
		err = r.watchAndResync(ctx)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// LastSyncResourceVersion is the version up to which the store is known to be up to date, ""
// before the first list.
func (r *Reflector[T]) LastSyncResourceVersion() string {
	return r.version.Load().(string)
}

func (r *Reflector[T]) publish(version string) { r.version.Store(version) }

// listVersion is the version that the next list asks for.
func (r *Reflector[T]) listVersion() string {
	switch {
	case r.newest:
		return ""
	case r.LastSyncResourceVersion() == "":
		return "0"
	default:
		return r.LastSyncResourceVersion()
	}
}

// list lists once and puts that into the store.
func (r *Reflector[T]) list(ctx context.Context) error {
	list, err := r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.listVersion()})
	if !r.newest && (kit.IsResourceExpired(err) || kit.IsTooLargeResourceVersion(err)) {
		r.newest = true
		if ctx.Err() != nil {
			return nil
		}
		list, err = r.lw.List(ctx, kit.ListOptions{ResourceVersion: ""})
	}
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	r.newest = false
	if ctx.Err() != nil {
		return nil
	}
	if err := r.store.Replace(list.Items, list.ResourceVersion); err != nil {
		return fmt.Errorf("replace: %w", err)
	}
	r.publish(list.ResourceVersion)
	return nil
}
