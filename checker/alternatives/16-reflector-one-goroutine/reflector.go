// Package reflector is lab 16 with one goroutine for the store: the resync is an alarm that
// rings in every wait, whatever that waits for. Only a watch is asked for by a second one.
package reflector

import (
	"context"
	"errors"
	"sync"
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
	lw    kit.ListerWatcher[T]
	store kit.DeltaStore[T]
	opts  Options

	mu      sync.RWMutex
	version string

	asked     bool // a list has been asked for
	anyNewest bool

	steps     kit.Backoff
	stepsFrom time.Time // when steps was last made anew
}

// errDone says that ctx was done; it never leaves the package.
var errDone = errors.New("done")

// failedResync is an error of the store's. Whatever it says, no server has said it.
type failedResync struct{ error }

func (f failedResync) Unwrap() error { return f.error }

// alarm is what goes off beside everything that ListAndWatch waits for: the resync.
type alarm struct {
	timer *time.Timer // nil for never
	ring  func() error
}

func (a *alarm) c() <-chan time.Time {
	if a == nil || a.timer == nil {
		return nil
	}
	return a.timer.C
}

// await waits for a value, and resyncs in the meantime.
func await[V any](ctx context.Context, a *alarm, values <-chan V) (v V, ok bool, err error) {
	for {
		if ctx.Err() != nil {
			return v, false, errDone
		}
		select {
		case <-ctx.Done():
			return v, false, errDone
		case <-a.c():
			if err := a.ring(); err != nil {
				return v, false, err
			}
		case v, ok = <-values:
			return v, ok, nil
		}
	}
}

// New makes a reflector that keeps store up to date with what lw says. It asks for
// nothing and starts nothing.
func New[T kit.Object](lw kit.ListerWatcher[T], store kit.DeltaStore[T], options Options) *Reflector[T] {
	r := &Reflector[T]{lw: lw, store: store, opts: options}
	if r.opts.Backoff == (kit.Backoff{}) {
		r.opts.Backoff = DefaultBackoff()
	}
	if r.opts.MinWatchTimeout < 5*time.Minute {
		r.opts.MinWatchTimeout = 5 * time.Minute
	}
	return r
}

// Run calls ListAndWatch again and again until ctx is done, and waits one step of
// the backoff between the calls, whether they returned an error or nil. It returns
// as soon as ctx is done, also in the middle of such a wait.
func (r *Reflector[T]) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
		}
		err := r.ListAndWatch(ctx)
		if err != nil && r.opts.OnError != nil {
			r.opts.OnError(err)
		}
		if r.pause(ctx, nil) != nil {
			return
		}
	}
}

// ListAndWatch lists, puts the list into the store, and then follows the changes by one watch
// after the other until it has to list again.
func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	err := r.listAndWatch(ctx)
	if err == errDone || ctx.Err() != nil {
		return nil
	}
	return err
}

// LastSyncResourceVersion is the version up to which the store is known to be up to date, ""
// before the first list.
func (r *Reflector[T]) LastSyncResourceVersion() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version
}

func (r *Reflector[T]) setVersion(v string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = v
}

// pause is one step of the backoff.
func (r *Reflector[T]) pause(ctx context.Context, a *alarm) error {
	// As client-go: a new start every two minutes, whatever happened in them.
	if now := time.Now(); r.stepsFrom.IsZero() || now.Sub(r.stepsFrom) > 2*time.Minute {
		r.steps, r.stepsFrom = r.opts.Backoff, now
	}
	timer := time.NewTimer(r.steps.Step())
	defer timer.Stop()
	_, _, err := await(ctx, a, timer.C)
	return err
}

func (r *Reflector[T]) listAndWatch(ctx context.Context) error {
	if ctx.Err() != nil {
		return errDone
	}
	version := "0"
	if r.asked {
		version = r.LastSyncResourceVersion()
		if version == "" && !r.anyNewest {
			version = "0"
		}
	}
	r.asked = true
	if r.anyNewest {
		version = ""
	}
	list, err := r.lw.List(ctx, kit.ListOptions{ResourceVersion: version})
	for version != "" && (kit.IsResourceExpired(err) || kit.IsTooLargeResourceVersion(err)) {
		if ctx.Err() != nil {
			return errDone
		}
		version, r.anyNewest = "", true
		list, err = r.lw.List(ctx, kit.ListOptions{})
	}
	if err != nil {
		return errors.Join(errors.New("cannot list"), err)
	}
	if err := r.store.Replace(list.Items, list.ResourceVersion); err != nil {
		return err
	}
	r.anyNewest = false
	r.setVersion(list.ResourceVersion)

	var a *alarm
	if p := r.opts.ResyncPeriod; p > 0 {
		a = &alarm{timer: time.NewTimer(p)}
		defer a.timer.Stop()
		a.ring = func() error {
			if r.opts.ShouldResync == nil || r.opts.ShouldResync() {
				if err := r.store.Resync(); err != nil {
					return failedResync{err}
				}
			}
			a.timer.Reset(p)
			return nil
		}
	}
	for {
		err := r.oneWatch(ctx, a)
		if !errors.As(err, new(failedResync)) && (kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err)) {
			err = r.pause(ctx, a)
		}
		if err != nil {
			return err
		}
	}
}
