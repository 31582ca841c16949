// Package reflector is lab 16: keep a store up to date with an API server. List
// once, watch from there, go on where a broken watch stood, and list again only
// when there is no other way.
package reflector

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a Reflector. The zero value is good for use.
type Options struct {
	// ResyncPeriod is how often the store is asked to Resync. 0 is never.
	ResyncPeriod time.Duration
	// ShouldResync is asked each time a resync is due; nil is always yes.
	ShouldResync func() bool
	// Backoff says how long to wait after each failure; the zero value is DefaultBackoff.
	Backoff kit.Backoff
	// MinWatchTimeout is the shortest time after which a watch is to end by itself,
	// five minutes at least; the longest is twice that.
	MinWatchTimeout time.Duration
	// Run calls OnError with every error that ListAndWatch returns, and with nothing
	// else, before the wait that follows. OnError must return quickly. Nil is allowed.
	OnError func(err error)
}

// DefaultBackoff is client-go's: 0.8 s at first, then twice as long each time up
// to 30 s, and each wait stretched by a random part of up to itself.
func DefaultBackoff() kit.Backoff {
	return kit.Backoff{Duration: 800 * time.Millisecond, Factor: 2, Jitter: 1, Steps: 38, Cap: 30 * time.Second}
}

// Reflector makes a store reflect what an API server has. The stub's
// documentation is the contract.
//
// One goroutine, the one that runs ListAndWatch, owns everything but the version. A
// second one calls Resync; it shares no field that changes with the first, and has
// ended before ListAndWatch returns, so that one call of ListAndWatch
// happens before the next.
type Reflector[T kit.Object] struct {
	lw      kit.ListerWatcher[T]
	store   kit.DeltaStore[T]
	options Options
	backoff backoff

	// unavailable says that the server did not have the version that was last asked
	// for in a list, and that no list has succeeded since.
	unavailable bool

	mu      sync.RWMutex // guards version
	version string
}

// New makes a reflector that keeps store up to date with what lw says.
func New[T kit.Object](lw kit.ListerWatcher[T], store kit.DeltaStore[T], options Options) *Reflector[T] {
	options.MinWatchTimeout = max(options.MinWatchTimeout, minWatchTimeout)
	return &Reflector[T]{lw: lw, store: store, options: options, backoff: newBackoff(options.Backoff)}
}

// Run calls ListAndWatch until ctx is done, with a wait after each call.
//
// The wait comes after a 410 too: whatever the reason to list again, ten thousand
// reflectors may have the same one at the same moment (kubernetes#86430).
func (r *Reflector[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.ListAndWatch(ctx); err != nil && r.options.OnError != nil {
			r.options.OnError(err)
		}
		r.backoff.wait(ctx)
	}
}

// ListAndWatch lists, and then follows the changes until it has to list again.
func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	err := r.list(ctx)
	if err == nil {
		err = r.follow(ctx)
	}
	if ctx.Err() != nil {
		return nil // what failed now failed because we were told to stop
	}
	return err
}

// list puts all objects into the store, and only then says up to which version it
// is: a caller that reads the version may look into the store next.
func (r *Reflector[T]) list(ctx context.Context) error {
	list, err := r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
	if kit.IsResourceExpired(err) || kit.IsTooLargeResourceVersion(err) {
		r.unavailable = true
		list, err = r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
	}
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	r.unavailable = false
	if err := r.store.Replace(list.Items, list.ResourceVersion); err != nil {
		return fmt.Errorf("store the list: %w", err)
	}
	r.publish(list.ResourceVersion)
	return nil
}

// relistVersion is what a list must be at least as new as. It is tempting to ask
// for "0" every time, because that is cheap for the server: but the server may be
// another one than last time, with a cache that is behind (kubernetes#83520).
func (r *Reflector[T]) relistVersion() string {
	if r.unavailable {
		return ""
	}
	if last := r.LastSyncResourceVersion(); last != "" {
		return last
	}
	return "0"
}

// LastSyncResourceVersion is the version up to which the store is up to date.
func (r *Reflector[T]) LastSyncResourceVersion() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version
}

func (r *Reflector[T]) publish(version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = version
}
