package informer

import (
	"context"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// syncPoll is how often WaitForCacheSync looks (client-go syncedPollPeriod).
const syncPoll = 100 * time.Millisecond

// Factory sees to it that a program has one informer for a type.
type Factory struct {
	defaultResync time.Duration

	running sync.WaitGroup

	mu           sync.Mutex // guards the fields below
	informers    map[any]*entry
	shuttingDown bool
}

// entry is an informer of any type.
type entry struct {
	informer interface {
		Run(ctx context.Context)
		HasSynced() bool
	}
	started bool
}

// NewFactory returns a factory without informers.
func NewFactory(defaultResync time.Duration) *Factory {
	return &Factory{defaultResync: defaultResync, informers: make(map[any]*entry)}
}

// InformerFor returns the informer of f for objects of type T.
//
// The key is a nil pointer to T. Two interface values are equal if their types are and
// their values are; nil pointers differ in their types alone, so this is a map by type.
func InformerFor[T kit.Object](f *Factory, newInformer func(resyncPeriod time.Duration) kit.SharedInformer[T]) kit.SharedInformer[T] {
	key := any((*T)(nil))
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.informers[key]; ok {
		return e.informer.(kit.SharedInformer[T])
	}
	informer := newInformer(f.defaultResync)
	f.informers[key] = &entry{informer: informer}
	return informer
}

// Start runs every informer that was not started yet.
func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shuttingDown {
		return
	}
	for _, e := range f.informers {
		if !e.started {
			e.started = true
			f.running.Go(func() { e.informer.Run(ctx) })
		}
	}
}

// WaitForCacheSync waits until every informer that was started has synced.
func (f *Factory) WaitForCacheSync(ctx context.Context) bool {
	ticker := time.NewTicker(syncPoll)
	defer ticker.Stop()
	for waiting := f.started(); ; {
		for len(waiting) > 0 && waiting[0].informer.HasSynced() {
			waiting = waiting[1:]
		}
		if len(waiting) == 0 {
			return true
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
	}
}

func (f *Factory) started() []*entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	var started []*entry
	for _, e := range f.informers {
		if e.started {
			started = append(started, e)
		}
	}
	return started
}

// Shutdown waits until every informer that was started has stopped. The flag comes first:
// after it no Run is added to those that are waited for.
func (f *Factory) Shutdown() {
	f.mu.Lock()
	f.shuttingDown = true
	f.mu.Unlock()
	f.running.Wait()
}
