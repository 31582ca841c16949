package informer

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Factory gives a program one informer for each type, however many of its controllers
// ask for it: one list, one watch and one copy of every object in memory (client-go
// informers.SharedInformerFactory).
//
// A Factory knows nothing of how its informers are made. InformerFor and all methods may
// be called from any goroutine.
type Factory struct {
	// The fields are yours.
}

// NewFactory returns a factory without informers. defaultResync is the resync period
// that it passes to the functions that make informers for it.
func NewFactory(defaultResync time.Duration) *Factory {
	panic(kit.TODO("NewFactory"))
}

// InformerFor returns the informer of f for objects of type T, also after Shutdown. If there is
// none yet, it calls newInformer with the default resync period, as it is, to make it;
// newInformer must not use the factory: the factory may hold a lock while it runs. Of many
// calls for one type at the same time only one makes an informer, and all return that one. Two
// types of the same name are two types. T is a pointer to a struct, never an interface.
// (InformerFor is a function because a method cannot have a type parameter of its own.)
func InformerFor[T kit.Object](f *Factory, newInformer func(resyncPeriod time.Duration) kit.SharedInformer[T]) kit.SharedInformer[T] {
	panic(kit.TODO("InformerFor"))
}

// Start calls Run of every informer that has not been started yet, with ctx and on a
// goroutine of its own. It does not wait for anything and may be called again: then it
// starts the informers that were requested in the meantime. Once Shutdown has been called
// it does nothing.
func (f *Factory) Start(ctx context.Context) {
	panic(kit.TODO("Factory.Start"))
}

// WaitForCacheSync waits until every informer that was started before the call has
// synced, and reports true. If ctx is done earlier, it reports false. If all of these had
// synced before the call, or none was started, it reports true, also if ctx is done. An
// informer whose Run has returned counts like any other, also after Shutdown. It may poll, but
// at least every 100 ms; when ctx is done it may report false without looking again.
func (f *Factory) WaitForCacheSync(ctx context.Context) bool {
	panic(kit.TODO("Factory.WaitForCacheSync"))
}

// Shutdown waits until the Run of every informer that was started has returned. It does
// not stop them: the ctx of Start does. It may be called more than once, and when
// nothing was started. While it waits, or WaitForCacheSync does, no other call waits for it.
func (f *Factory) Shutdown() {
	panic(kit.TODO("Factory.Shutdown"))
}
