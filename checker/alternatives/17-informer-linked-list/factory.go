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
	resync time.Duration
	kinds  sync.Map // a nil *T in an interface, to *kind

	mu    sync.RWMutex // held for reading by Start, for writing by Shutdown
	ended bool
	runs  sync.WaitGroup
}

// NewFactory returns a factory without informers. defaultResync is the resync period
// that it hands to those who make informers for it.
func NewFactory(defaultResync time.Duration) *Factory {
	return &Factory{resync: defaultResync}
}

// InformerFor returns the informer of f for objects of type T.
func InformerFor[T kit.Object](f *Factory, newInformer func(resyncPeriod time.Duration) kit.SharedInformer[T]) kit.SharedInformer[T] {
	var t *T
	slot, _ := f.kinds.LoadOrStore(any(t), &kind{})
	k := slot.(*kind)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.informer == nil {
		k.informer = newInformer(f.resync)
	}
	return k.informer.(kit.SharedInformer[T])
}

// Start calls the Run of every informer that was not started yet, each on a goroutine
// of its own, with ctx. It does not wait for anything and may be called again: informers
// that were asked for in the meantime are started then. After Shutdown it does nothing.
func (f *Factory) Start(ctx context.Context) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.ended {
		return
	}
	f.kinds.Range(func(_, slot any) bool {
		k := slot.(*kind)
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.informer != nil && !k.started {
			k.started = true
			f.runs.Add(1)
			go func() {
				defer f.runs.Done()
				k.informer.Run(ctx)
			}()
		}
		return true
	})
}

// WaitForCacheSync waits until every informer that was started before the call has
// synced, and reports true. If ctx is done earlier it reports false. It may look
// every now and then, but at least every 100 ms.
func (f *Factory) WaitForCacheSync(ctx context.Context) bool {
	var kinds []*kind
	f.kinds.Range(func(_, slot any) bool {
		k := slot.(*kind)
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.started {
			kinds = append(kinds, k)
		}
		return true
	})
	synced := make(chan bool, len(kinds))
	for _, k := range kinds {
		go func() {
			for !k.informer.HasSynced() {
				select {
				case <-ctx.Done():
					synced <- false
					return
				case <-time.After(90 * time.Millisecond):
				}
			}
			synced <- true
		}()
	}
	all := true
	for range kinds {
		all = <-synced && all
	}
	return all
}

// Shutdown waits until the Run of every informer that was started has returned. It does
// not stop them: that is for the ctx of Start. It may be called more than once and
// where nothing was started.
func (f *Factory) Shutdown() {
	f.mu.Lock()
	f.ended = true
	f.mu.Unlock()
	f.runs.Wait()
}

type kind struct {
	mu       sync.Mutex
	informer interface {
		Run(ctx context.Context)
		HasSynced() bool
	}
	started bool
}
