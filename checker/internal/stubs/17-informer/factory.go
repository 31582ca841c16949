package informer

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Factory sees to it that a program has one informer for a type, however many of its
// controllers ask for it: one list, one watch and one copy of every object in memory
// (client-go informers.SharedInformerFactory).
//
// It does not matter to a Factory what its informers are made of. All methods may be
// called from any goroutine.
type Factory struct {
	// The fields are yours.
}

// NewFactory returns a factory without informers. defaultResync is the resync period
// that it hands to those who make informers for it.
func NewFactory(defaultResync time.Duration) *Factory {
	panic(kit.TODO("NewFactory"))
}

// InformerFor returns the informer of f for objects of type T. If there is none yet, it
// calls newInformer with the default resync period to make it; newInformer must not
// call the factory. Of many calls for one type at the same time only one makes an
// informer, and all return that one. (A function, for a method cannot have a type
// parameter of its own.)
func InformerFor[T kit.Object](f *Factory, newInformer func(resyncPeriod time.Duration) kit.SharedInformer[T]) kit.SharedInformer[T] {
	panic(kit.TODO("InformerFor"))
}

// Start calls the Run of every informer that was not started yet, each on a goroutine
// of its own, with ctx. It does not wait for anything and may be called again: informers
// that were asked for in the meantime are started then. After Shutdown it does nothing.
func (f *Factory) Start(ctx context.Context) {
	panic(kit.TODO("Factory.Start"))
}

// WaitForCacheSync waits until every informer that was started before the call has
// synced, and reports true. If ctx is done earlier it reports false. It may look
// every now and then, but at least every 100 ms.
func (f *Factory) WaitForCacheSync(ctx context.Context) bool {
	panic(kit.TODO("Factory.WaitForCacheSync"))
}

// Shutdown waits until the Run of every informer that was started has returned. It does
// not stop them: that is for the ctx of Start. It may be called more than once and
// where nothing was started.
func (f *Factory) Shutdown() {
	panic(kit.TODO("Factory.Shutdown"))
}
