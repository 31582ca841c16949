package informer

import (
	"context"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Factory sees to it that a program has one informer for a type, however many of its
// controllers ask for it: one list, one watch and one copy of every object in memory
// (client-go informers.SharedInformerFactory).
type Factory struct {
	defaultResync time.Duration

	mu        sync.Mutex
	informers map[any]*made // by the type: a nil *T in an interface
	shutdown  bool
	running   sync.WaitGroup
}

// NewFactory returns a factory without informers. defaultResync is the resync period
// that it hands to those who make informers for it.
func NewFactory(defaultResync time.Duration) *Factory {
	return &Factory{defaultResync: defaultResync, informers: map[any]*made{}}
}

// InformerFor returns the informer of f for objects of type T.
func InformerFor[T kit.Object](f *Factory, newInformer func(resyncPeriod time.Duration) kit.SharedInformer[T]) kit.SharedInformer[T] {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := any((*T)(nil))
	if m, ok := f.informers[key]; ok {
		return m.informer.(kit.SharedInformer[T])
	}
	informer := newInformer(f.defaultResync)
	f.informers[key] = &made{informer: informer}
	return informer
}

// Start calls the Run of every informer that was not started yet, each on a goroutine
// of its own, with ctx. It does not wait for anything and may be called again: informers
// that were asked for in the meantime are started then. After Shutdown it does nothing.
func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shutdown {
		return
	}
	for _, m := range f.informers {
		if !m.started {
			m.started = true
			f.running.Go(func() { m.informer.Run(ctx) })
		}
	}
}

// WaitForCacheSync waits until every informer that was started before the call has
// synced, and reports true. If ctx is done earlier it reports false. It may look
// every now and then, but at least every 100 ms.
func (f *Factory) WaitForCacheSync(ctx context.Context) bool {
	f.mu.Lock()
	var waiting []runner
	for _, m := range f.informers {
		if m.started {
			waiting = append(waiting, m.informer)
		}
	}
	f.mu.Unlock()

	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		for len(waiting) > 0 && waiting[0].HasSynced() {
			waiting = waiting[1:]
		}
		if len(waiting) == 0 {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
	}
}

// Shutdown waits until the Run of every informer that was started has returned. It does
// not stop them: that is for the ctx of Start. It may be called more than once and
// where nothing was started.
func (f *Factory) Shutdown() {
	f.mu.Lock()
	f.shutdown = true
	f.mu.Unlock()
	f.running.Wait()
}

// runner is what a Factory asks of an informer, whatever its type.
type runner interface {
	Run(ctx context.Context)
	HasSynced() bool
}

// made is an informer that a Factory has.
type made struct {
	informer runner
	started  bool
}
