// Package informer is lab 17 without idle goroutines: the one that calls a handler starts
// with the first pending notification and ends with the last.
package informer

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ErrStopped is returned for a handler that is added to an informer that has stopped.
var ErrStopped = errors.New("informer: the informer has stopped")

// Options are the parts of a SharedInformer. All three are needed and belong to this
// one informer; the caller of New has connected them to each other.
type Options[T kit.Object] struct {
	// Indexer is the cache. Only the informer writes to it, and only while it runs.
	Indexer kit.Indexer[T]

	// Queue holds what was seen and is not in the Indexer yet. Its known objects are
	// those of Indexer. It may hold a lock of its own while it calls the function given
	// to Pop, and every other method of it may wait for that lock.
	Queue kit.DeltaQueue[T]

	// Reflect is the reflector: it tells store all that happens, until ctx is done, and returns
	// then.
	Reflect func(ctx context.Context, store kit.DeltaStore[T], resyncPeriod time.Duration, shouldResync func() bool)

	// ResyncPeriod is the resync period of handlers that ask for none of their own.
	// If it is 0, this informer never resyncs, whatever its handlers ask for.
	ResyncPeriod time.Duration

	// OnPanic gets the value of a handler's panic, on that handler's goroutine. It may
	// be nil.
	OnPanic func(value any)
}

// SharedInformer keeps the Indexer in step with the Queue and tells handlers of it.
type SharedInformer[T kit.Object] struct {
	options Options[T]

	// mu keeps three things in step: the contents of the Indexer, what the handlers have
	// heard, and the list of handlers. No goroutine calls the Queue while it holds mu.
	mu          sync.Mutex
	listeners   []*listener[T]
	checkPeriod time.Duration
	started     bool
	stopped     bool           // handlers are stopped, and no more are taken
	running     sync.WaitGroup // the goroutines of listeners
}

var _ kit.SharedInformer[*kit.Pod] = (*SharedInformer[*kit.Pod])(nil)

// New returns an informer that does not run yet. It starts no goroutine.
func New[T kit.Object](options Options[T]) *SharedInformer[T] {
	return &SharedInformer[T]{options: options, checkPeriod: options.ResyncPeriod}
}

// AddEventHandler is AddEventHandlerWithResyncPeriod with the period of the Options.
func (s *SharedInformer[T]) AddEventHandler(handler kit.ResourceEventHandler[T]) (kit.Registration, error) {
	return s.AddEventHandlerWithResyncPeriod(handler, s.options.ResyncPeriod)
}

// AddEventHandlerWithResyncPeriod adds a handler.
func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, ErrStopped
	}
	l := newListener(s, handler)
	l.period = s.period(resyncPeriod)
	l.resyncAt = time.Now().Add(l.period)
	s.listeners = append(s.listeners, l)
	if s.started {
		for _, obj := range s.options.Indexer.List() {
			l.add(notification[T]{kind: added, obj: obj, initial: true})
		}
	}
	return l, nil
}

// RemoveEventHandler removes a handler, before Run, during it or afterwards.
func (s *SharedInformer[T]) RemoveEventHandler(registration kit.Registration) error {
	l, ok := registration.(*listener[T])
	if !ok || l == nil || l.informer != s {
		return errors.New("informer: not a registration of this informer")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.listeners, l)
	if i < 0 {
		return nil
	}
	s.listeners = slices.Delete(s.listeners, i, i+1)
	l.stop()
	return nil
}

// GetIndexer is the Indexer of the Options.
func (s *SharedInformer[T]) GetIndexer() kit.Indexer[T] {
	return s.options.Indexer
}

// Run calls Reflect, pops the Queue and calls the handlers, until ctx is done.
func (s *SharedInformer[T]) Run(ctx context.Context) {
	s.mu.Lock()
	if s.started {
		s.mu.Unlock()
		return
	}
	s.started = true
	period := s.checkPeriod
	s.mu.Unlock()

	var reflecting, popping sync.WaitGroup
	reflecting.Go(func() { s.options.Reflect(ctx, s.options.Queue, period, s.shouldResync) })
	popping.Go(func() { s.pop(ctx) })

	<-ctx.Done()
	reflecting.Wait()
	s.options.Queue.Close()
	popping.Wait()

	s.mu.Lock()
	s.stopped = true
	for _, l := range s.listeners {
		l.stop()
	}
	s.listeners = nil
	s.mu.Unlock()
	s.running.Wait()
}

// HasSynced reports whether all that the first list brought is in the Indexer. It does
// not wait for handlers: see Registration.
func (s *SharedInformer[T]) HasSynced() bool {
	return s.options.Queue.HasSynced()
}

// IsStopped is false before Run and until its ctx is done, and true when Run has
// returned.
func (s *SharedInformer[T]) IsStopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped
}

const minResyncPeriod = time.Second

// period is what becomes of the resync period that a new handler asks for. mu is held.
func (s *SharedInformer[T]) period(asked time.Duration) time.Duration {
	if asked <= 0 || s.checkPeriod <= 0 {
		return 0
	}
	asked = max(asked, minResyncPeriod)
	if asked < s.checkPeriod {
		if s.started {
			return s.checkPeriod
		}
		s.checkPeriod = asked
	}
	return asked
}

// shouldResync finds out whose resync is due.
func (s *SharedInformer[T]) shouldResync() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, any := time.Now(), false
	for _, l := range s.listeners {
		l.due = l.period > 0 && !now.Before(l.resyncAt)
		if l.due {
			any = true
			l.resyncAt = now.Add(l.period)
		}
	}
	return any
}

// pop takes from the Queue until that is closed.
func (s *SharedInformer[T]) pop(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := s.options.Queue.Pop(s.apply); errors.Is(err, kit.ErrFIFOClosed) {
			return
		}
	}
}

// apply brings the Indexer in step with deltas and tells the handlers.
func (s *SharedInformer[T]) apply(deltas kit.Deltas[T], isInInitialList bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range deltas {
		s.applyOne(d, isInInitialList)
	}
	return nil
}

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) {
	indexer := s.options.Indexer
	if d.Type == kit.DeltaDeleted {
		if indexer.Delete(d.Object) == nil {
			s.distribute(notification[T]{kind: deleted, obj: d.Object, unknown: d.FinalStateUnknown}, nil)
		}
		return
	}
	old, exists := indexer.Get(d.Object)
	if !exists {
		if indexer.Add(d.Object) == nil {
			s.distribute(notification[T]{kind: added, obj: d.Object, initial: isInInitialList}, nil)
		}
		return
	}
	if indexer.Update(d.Object) != nil {
		return
	}
	n := notification[T]{kind: updated, old: old, obj: d.Object}
	switch {
	case old.GetResourceVersion() != d.Object.GetResourceVersion():
		s.distribute(n, nil)
	case d.Type == kit.DeltaSync:
		s.distribute(n, func(l *listener[T]) bool { return l.due })
	}
}

// distribute tells the handlers of which want is true, nil for all. mu is held.
func (s *SharedInformer[T]) distribute(n notification[T], want func(*listener[T]) bool) {
	for _, l := range s.listeners {
		if want == nil || want(l) {
			l.add(n)
		}
	}
}
