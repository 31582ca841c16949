package informer

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

const (
	afterPanic = time.Second // how long a handler that panicked is left alone
	keptRoom   = 512         // how many notifications each half of an idle buffer may have room for
)

// listener stands between the informer, which must never wait, and one handler, which
// may be slow. add puts a notification into a buffer, pop takes out all there are, and
// run, the one goroutine of a listener, calls the handler with them.
//
// client-go has a goroutine each for pop and run with a ring between them, and a channel
// on either side. Two slices and a lock do the same: add fills one while run works
// through the other, and then they change places. No notification is ever moved, and the
// lock is taken once per batch on the way out.
type listener[T kit.Object] struct {
	handler        kit.ResourceEventHandler[T]
	upstreamSynced func() bool
	onPanic        func(value any)

	// Guarded by the informer's mu.
	resyncPeriod time.Duration
	nextResync   time.Time
	syncing      bool // the last check found a resync due

	wake     chan struct{} // has room for one: a bell that stays rung
	gone     chan struct{} // closed when the handler is to be called no more
	finished chan struct{} // closed when it will be called no more

	mu      sync.Mutex // guards the fields below; never held while the handler is called
	pending []notification[T]
	initial int // initial OnAdds that have not returned, pending ones and the one under way
}

var _ kit.Registration = (*listener[*kit.Pod])(nil)

func newListener[T kit.Object](handler kit.ResourceEventHandler[T], upstreamSynced func() bool, onPanic func(value any)) *listener[T] {
	return &listener[T]{
		handler:        handler,
		upstreamSynced: upstreamSynced,
		onPanic:        onPanic,
		wake:           make(chan struct{}, 1),
		gone:           make(chan struct{}),
		finished:       make(chan struct{}),
	}
}

// HasSynced asks upstream first. Upstream is synced only after the last initial object
// went through add, so what is counted then is all there will ever be. The other way
// around, the count could be 0 because nothing has come yet.
func (l *listener[T]) HasSynced() bool {
	if !l.upstreamSynced() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.initial == 0
}

// ShutdownChan is closed when the handler will not be called again.
func (l *listener[T]) ShutdownChan() <-chan struct{} { return l.finished }

// resyncEvery sets the period. The informer's mu is held.
func (l *listener[T]) resyncEvery(period time.Duration, now time.Time) {
	l.resyncPeriod, l.nextResync = period, now.Add(period)
}

// markSyncing notes and reports whether a resync is due. The informer's mu is held.
func (l *listener[T]) markSyncing(now time.Time) bool {
	l.syncing = l.resyncPeriod > 0 && !now.Before(l.nextResync)
	if l.syncing {
		l.nextResync = now.Add(l.resyncPeriod)
	}
	return l.syncing
}

// add appends n to what is pending and does not wait. The bell needs to be rung only
// once: the goroutine that hears it takes all there is.
func (l *listener[T]) add(n notification[T]) {
	l.mu.Lock()
	l.pending = append(l.pending, n)
	if n.initial() {
		l.initial++
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// pop takes all that is pending. The batch it took before is filled by add next, unless
// it has grown in a burst: then it goes, and the burst's memory with it.
func (l *listener[T]) pop(spent []notification[T]) []notification[T] {
	if cap(spent) > keptRoom {
		spent = nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	batch := l.pending
	l.pending = spent[:0]
	return batch
}

// run calls the handler until the listener is stopped.
func (l *listener[T]) run() {
	defer close(l.finished)
	var batch []notification[T]
	for l.work(batch) {
		batch = l.pop(batch)
		if len(batch) == 0 && !l.wait() {
			return
		}
	}
}

// work calls the handler with each of batch. It reports false if the listener was
// stopped meanwhile.
func (l *listener[T]) work(batch []notification[T]) bool {
	for i := range batch {
		select {
		case <-l.gone:
			return false
		default:
		}
		n := batch[i]
		batch[i] = notification[T]{} // or the batch would keep the object until its last is done
		if !l.call(n) && !l.pause() {
			return false
		}
	}
	return true
}

// wait blocks until something was added. It reports false if the listener was stopped.
func (l *listener[T]) wait() bool {
	select {
	case <-l.wake:
		return true
	case <-l.gone:
		return false
	}
}

// pause leaves a handler alone for a while. It reports false if the listener was stopped.
func (l *listener[T]) pause() bool {
	select {
	case <-time.After(afterPanic):
		return true
	case <-l.gone:
		return false
	}
}

// call calls the handler and reports whether it returned. An initial OnAdd that panicked
// stays counted: a handler that has not seen everything has not synced.
func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil && l.onPanic != nil {
			l.onPanic(value)
		}
	}()
	n.tell(l.handler)
	if n.initial() {
		l.mu.Lock()
		l.initial--
		l.mu.Unlock()
	}
	return true
}

// stop ends run and does not wait for it. Nobody calls add from then on.
func (l *listener[T]) stop() {
	close(l.gone)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = nil
}

// neverRun is stop for a listener whose run was not started.
func (l *listener[T]) neverRun() { close(l.finished) }

// kind is which method of a handler is to be called.
type kind uint8

const (
	onAdd kind = iota
	onUpdate
	onDelete
)

// notification is one call of a handler. It is a plain value: an interface for each kind
// would be an allocation for each handler and event.
type notification[T kit.Object] struct {
	old, obj T
	kind     kind
	flag     bool // isInInitialList of onAdd, finalStateUnknown of onDelete
}

func added[T kit.Object](obj T, isInInitialList bool) notification[T] {
	return notification[T]{kind: onAdd, obj: obj, flag: isInInitialList}
}

func updated[T kit.Object](old, obj T) notification[T] {
	return notification[T]{kind: onUpdate, old: old, obj: obj}
}

func deleted[T kit.Object](obj T, finalStateUnknown bool) notification[T] {
	return notification[T]{kind: onDelete, obj: obj, flag: finalStateUnknown}
}

func (n notification[T]) initial() bool { return n.kind == onAdd && n.flag }

func (n notification[T]) tell(handler kit.ResourceEventHandler[T]) {
	switch n.kind {
	case onAdd:
		handler.OnAdd(n.obj, n.flag)
	case onUpdate:
		handler.OnUpdate(n.old, n.obj)
	case onDelete:
		handler.OnDelete(n.obj, n.flag)
	}
}
