// Package informer is lab 17 with linked lists: what is pending for a handler is a list of
// calls, each a value that knows how to make itself. The informer's lock is a token.
package informer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
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
	o Options[T]

	runOnce  atomic.Bool
	life     context.Context // of the handlers: done when they are to stop
	kill     context.CancelFunc
	runEnded atomic.Bool
	runCtx   atomic.Pointer[context.Context]

	story   chan struct{} // the one lock, a token
	started bool
	over    bool
	check   time.Duration
	pipes   map[*pipe[T]]bool // true if its last resync was found due
	all     sync.WaitGroup
}

var _ kit.SharedInformer[*kit.Pod] = (*SharedInformer[*kit.Pod])(nil)

// New returns an informer that does not run yet. It starts no goroutine.
func New[T kit.Object](options Options[T]) *SharedInformer[T] {
	s := &SharedInformer[T]{o: options, check: options.ResyncPeriod, story: make(chan struct{}, 1), pipes: map[*pipe[T]]bool{}}
	s.life, s.kill = context.WithCancel(context.Background())
	return s
}

// AddEventHandler is AddEventHandlerWithResyncPeriod with the period of the Options.
func (s *SharedInformer[T]) AddEventHandler(handler kit.ResourceEventHandler[T]) (kit.Registration, error) {
	return s.AddEventHandlerWithResyncPeriod(handler, s.o.ResyncPeriod)
}

// AddEventHandlerWithResyncPeriod adds a handler.
func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	if c := s.runCtx.Load(); c != nil && (*c).Err() != nil {
		return nil, ErrStopped
	}
	s.story <- struct{}{}
	defer func() { <-s.story }()
	if s.over {
		return nil, ErrStopped
	}
	if s.o.ResyncPeriod == 0 {
		resyncPeriod = 0
	}
	if resyncPeriod > 0 {
		resyncPeriod = max(resyncPeriod, time.Second)
		if s.started {
			resyncPeriod = max(resyncPeriod, s.check)
		} else {
			s.check = min(s.check, resyncPeriod)
		}
	}
	p := newPipe(s, handler, resyncPeriod)
	s.pipes[p] = false
	if s.started {
		for _, key := range s.o.Indexer.ListKeys() {
			if obj, ok := s.o.Indexer.GetByKey(key); ok {
				p.put(addCall[T]{obj, true})
			}
		}
		p.start()
	}
	return p, nil
}

// RemoveEventHandler removes a handler, before Run, during it or afterwards.
func (s *SharedInformer[T]) RemoveEventHandler(registration kit.Registration) error {
	p, ok := registration.(*pipe[T])
	if !ok || p == nil || p.s != s {
		return nil
	}
	s.story <- struct{}{}
	defer func() { <-s.story }()
	if _, here := s.pipes[p]; here {
		delete(s.pipes, p)
		p.cancel()
		if !s.started {
			close(p.gone)
		}
	}
	return nil
}

// GetIndexer is the Indexer of the Options.
func (s *SharedInformer[T]) GetIndexer() kit.Indexer[T] {
	return s.o.Indexer
}

// Run calls Reflect, pops the Queue and calls the handlers, until ctx is done.
func (s *SharedInformer[T]) Run(ctx context.Context) {
	if s.runOnce.Swap(true) {
		return
	}
	s.story <- struct{}{}
	s.started = true
	s.runCtx.Store(&ctx)
	for p := range s.pipes {
		p.start()
	}
	check := s.check
	<-s.story

	reflected := make(chan struct{})
	go func() {
		defer close(reflected)
		s.o.Reflect(ctx, s.o.Queue, check, s.due)
	}()
	popped := make(chan struct{})
	go func() {
		defer close(popped)
		for {
			if _, err := s.o.Queue.Pop(s.process); err == kit.ErrFIFOClosed {
				return
			}
		}
	}()

	<-ctx.Done()
	s.o.Queue.Close() // at once: what comes in after this is nobody's business
	<-popped
	<-reflected

	s.story <- struct{}{}
	s.over = true
	s.kill()
	<-s.story
	s.all.Wait()
	s.runEnded.Store(true)
}

// HasSynced reports whether all that the first list brought is in the Indexer. It does
// not wait for handlers: see Registration.
func (s *SharedInformer[T]) HasSynced() bool {
	return s.o.Queue.HasSynced()
}

// IsStopped is false before Run and until its ctx is done, and true when Run has
// returned.
func (s *SharedInformer[T]) IsStopped() bool {
	c := s.runCtx.Load()
	return c != nil && (*c).Err() != nil
}

func (s *SharedInformer[T]) due() bool {
	s.story <- struct{}{}
	defer func() { <-s.story }()
	yes := false
	for p := range s.pipes {
		d := p.every > 0 && time.Since(p.lastDue) >= p.every
		if d {
			p.lastDue = time.Now()
		}
		s.pipes[p] = d
		yes = yes || d
	}
	return yes
}

func (s *SharedInformer[T]) process(deltas kit.Deltas[T], isInInitialList bool) error {
	s.story <- struct{}{}
	defer func() { <-s.story }()
	for _, d := range deltas {
		obj := d.Object
		if d.Type == kit.DeltaDeleted {
			if err := s.o.Indexer.Delete(obj); err != nil {
				return err // the rest of this object's deltas is left out
			}
			s.tell(deleteCall[T]{obj, d.FinalStateUnknown}, false)
			continue
		}
		old, had := s.o.Indexer.GetByKey(kit.Key(obj))
		if err := s.o.Indexer.Update(obj); err != nil {
			return err
		}
		if !had {
			s.tell(addCall[T]{obj, isInInitialList}, false)
			continue
		}
		// A sync is what a Resync brings; a list that brings nothing new is told to all.
		s.tell(updateCall[T]{old, obj}, d.Type == kit.DeltaSync && old.GetResourceVersion() == obj.GetResourceVersion())
	}
	return nil
}

func (s *SharedInformer[T]) tell(c call[T], sync bool) {
	for p, due := range s.pipes {
		if !sync || due {
			p.put(c)
		}
	}
}
