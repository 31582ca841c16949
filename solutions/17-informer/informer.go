// Package informer is lab 17: one cache that follows the API server, shared by many
// handlers that each hear of every change of it.
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

// minimumResync is the shortest period a handler can have: a resync calls it for every
// object there is (client-go minimumResyncPeriod).
const minimumResync = time.Second

// Options are what a SharedInformer is made of. The stub's documentation is the contract.
type Options[T kit.Object] struct {
	// Indexer is the cache.
	Indexer kit.Indexer[T]

	// Queue holds what was seen and is not in the Indexer yet.
	Queue kit.DeltaQueue[T]

	// Reflect is the reflector: it tells store all that happens, until ctx is done.
	Reflect func(ctx context.Context, store kit.DeltaStore[T], resyncPeriod time.Duration, shouldResync func() bool)

	// ResyncPeriod is the resync period of handlers that ask for none of their own.
	ResyncPeriod time.Duration

	// OnPanic gets the value of a handler's panic, on that handler's goroutine. It may
	// be nil.
	OnPanic func(value any)
}

// SharedInformer keeps the Indexer in step with the Queue and notifies handlers.
//
// One lock stands for the order of events. A goroutine that holds mu knows that the
// Indexer agrees with what the listeners have heard: a change takes mu for both steps
// together, and so does a handler that joins late and has to hear what the Indexer has.
//
// The Queue calls apply under a lock of its own, so mu is always the inner of the two.
// Nothing that holds mu may call the Queue, not even HasSynced: it would wait for a Pop
// that waits for mu.
type SharedInformer[T kit.Object] struct {
	options Options[T]

	running sync.WaitGroup // the goroutines of the listeners, removed ones too

	mu          sync.Mutex // guards everything below, and all writing to the Indexer
	started     bool
	stopped     bool
	checkPeriod time.Duration
	listeners   []*listener[T]
}

var _ kit.SharedInformer[*kit.Pod] = (*SharedInformer[*kit.Pod])(nil)

// New returns an informer that does not run yet.
func New[T kit.Object](options Options[T]) *SharedInformer[T] {
	return &SharedInformer[T]{options: options, checkPeriod: options.ResyncPeriod}
}

// AddEventHandler is AddEventHandlerWithResyncPeriod with the period of the Options.
func (s *SharedInformer[T]) AddEventHandler(handler kit.ResourceEventHandler[T]) (kit.Registration, error) {
	return s.AddEventHandlerWithResyncPeriod(handler, s.options.ResyncPeriod)
}

// AddEventHandlerWithResyncPeriod adds a handler, before Run or during it.
//
// It is tempting to read the Indexer first and to join then, or the other way around.
// But a change between the two steps would be missed, or heard twice. Under mu there
// is no change between them.
func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, ErrStopped
	}
	l := newListener(handler, s.options.Queue.HasSynced, s.options.OnPanic)
	l.resyncEvery(s.allowed(resyncPeriod), time.Now())
	s.listeners = append(s.listeners, l)
	if s.started {
		for _, obj := range s.options.Indexer.List() {
			l.add(added(obj, true))
		}
		s.running.Go(l.run)
	}
	return l, nil
}

// allowed is the resync period that a handler gets which asks for period. s.mu is held.
//
// Reflect got the check period when it began and cannot get another.
func (s *SharedInformer[T]) allowed(period time.Duration) time.Duration {
	if period <= 0 || s.checkPeriod <= 0 {
		return 0
	}
	period = max(period, minimumResync)
	if s.started {
		return max(period, s.checkPeriod)
	}
	s.checkPeriod = min(s.checkPeriod, period)
	return period
}

// RemoveEventHandler removes a handler without waiting for it.
func (s *SharedInformer[T]) RemoveEventHandler(registration kit.Registration) error {
	l, ok := registration.(*listener[T])
	if !ok {
		return errors.New("informer: not a registration of an informer of this type")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.listeners, l)
	if i < 0 {
		return nil
	}
	s.listeners = slices.Delete(s.listeners, i, i+1)
	if s.started {
		l.stop()
	} else {
		l.neverRun()
	}
	return nil
}

// GetIndexer is the Indexer of the Options.
func (s *SharedInformer[T]) GetIndexer() kit.Indexer[T] { return s.options.Indexer }

// HasSynced reports whether all that the first list brought is in the Indexer.
func (s *SharedInformer[T]) HasSynced() bool { return s.options.Queue.HasSynced() }

// IsStopped reports whether Run has come to its end.
func (s *SharedInformer[T]) IsStopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped
}

// Run calls Reflect, pops the Queue and calls the handlers, until ctx is done.
//
// Run waits for the two ends of the Queue before it stops the listeners. So when it
// stops a listener, nobody is left who could notify it.
func (s *SharedInformer[T]) Run(ctx context.Context) {
	checkPeriod, ok := s.start()
	if !ok {
		return
	}
	var pops sync.WaitGroup
	pops.Go(func() { s.process(ctx) })
	s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
	s.options.Queue.Close() // wakes a Pop that waits
	pops.Wait()
	s.stopListeners()
	s.running.Wait()
}

// start lets the first Run go on, and starts the listeners that are there by then. Later
// ones are started when they are added: under one lock none is forgotten.
func (s *SharedInformer[T]) start() (checkPeriod time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return 0, false
	}
	s.started = true
	for _, l := range s.listeners {
		s.running.Go(l.run)
	}
	return s.checkPeriod, true
}

// stopListeners refuses new handlers and ends those there are. No listener is started
// after this, so running can be waited for.
func (s *SharedInformer[T]) stopListeners() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	for _, l := range s.listeners {
		l.stop()
	}
	s.listeners = nil
}

// process pops until ctx is done. An error of apply is one object that could not be
// stored. Nobody here could fix that, and it is no reason to stop following all
// others.
func (s *SharedInformer[T]) process(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := s.options.Queue.Pop(s.apply); errors.Is(err, kit.ErrFIFOClosed) {
			return
		}
	}
}

// apply brings the Indexer in step with the deltas of one object.
func (s *SharedInformer[T]) apply(deltas kit.Deltas[T], isInInitialList bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range deltas {
		if err := s.applyOne(d, isInInitialList); err != nil {
			return err
		}
	}
	return nil
}

// applyOne changes the Indexer first and notifies the listeners then: a handler can be
// called the moment its listener is notified, and it will look into the Indexer. s.mu
// is held.
func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) error {
	if d.Type == kit.DeltaDeleted {
		if err := s.options.Indexer.Delete(d.Object); err != nil {
			return err
		}
		s.distribute(deleted(d.Object, d.FinalStateUnknown), false)
		return nil
	}
	old, exists := s.options.Indexer.Get(d.Object)
	if !exists {
		if err := s.options.Indexer.Add(d.Object); err != nil {
			return err
		}
		s.distribute(added(d.Object, isInInitialList), false)
		return nil
	}
	if err := s.options.Indexer.Update(d.Object); err != nil {
		return err
	}
	// Not d.Type: what a list brings may be news (kubernetes#86015).
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	s.distribute(updated(old, d.Object), isSync)
	return nil
}

// distribute tells every listener, or only those that have a resync coming. s.mu is held.
func (s *SharedInformer[T]) distribute(n notification[T], isSync bool) {
	for _, l := range s.listeners {
		if !isSync || l.syncing {
			l.add(n)
		}
	}
}

// resyncDue is what Reflect asks before a Resync. It marks the listeners that are to
// hear of that one. All are looked at: the first that is due must not hide the others.
func (s *SharedInformer[T]) resyncDue() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	due := false
	for _, l := range s.listeners {
		if l.markSyncing(now) {
			due = true
		}
	}
	return due
}
