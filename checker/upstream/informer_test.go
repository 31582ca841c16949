package upstream

import (
	"context"
	"testing"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/checker/internal/suites/informertest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The informer brings its own queue, cache and reflector; of the suite's parts it
// takes the server, the resync period and the ear for panics. By default upstream
// lets a handler's panic end the process: ReallyCrash is what it calls that.
func TestInformer(t *testing.T) {
	defer func(crash bool) { utilruntime.ReallyCrash = crash }(utilruntime.ReallyCrash)
	utilruntime.ReallyCrash = false
	run(t, informertest.Lab(), informertest.Cases(), func() informertest.Subject {
		return informertest.Subject{
			New: func(p *informertest.Parts) informertest.Informer {
				theirs := cache.NewSharedIndexInformer(server{p.ListerWatcher}, &object{}, p.Resync, cache.Indexers{})
				return informer{theirs, p.OnPanic}
			},
			NewFactory: func(resync time.Duration) informertest.Factory {
				return factory{informers.NewSharedInformerFactory(nil, resync)}
			},
		}
	})
}

type informer struct {
	cache.SharedIndexInformer
	onPanic func(value any)
}

func (i informer) Run(ctx context.Context) { i.RunWithContext(ctx) }

func (i informer) GetIndexer() kit.Indexer[*kit.Pod] {
	return indexer{i.SharedIndexInformer.GetIndexer()}
}

func (i informer) AddEventHandler(h kit.ResourceEventHandler[*kit.Pod]) (kit.Registration, error) {
	return registered(i.SharedIndexInformer.AddEventHandler(handler{h, i.onPanic}))
}

func (i informer) AddEventHandlerWithResyncPeriod(h kit.ResourceEventHandler[*kit.Pod], resync time.Duration) (kit.Registration, error) {
	return registered(i.SharedIndexInformer.AddEventHandlerWithResyncPeriod(handler{h, i.onPanic}, resync))
}

func (i informer) RemoveEventHandler(r kit.Registration) error {
	theirs, _ := r.(cache.ResourceEventHandlerRegistration) // or nil
	return i.SharedIndexInformer.RemoveEventHandler(theirs)
}

// registered makes a registration a kit.Registration, which it is: upstream's
// ShutDownEventHandler looks for a ShutdownChan in the same way.
func registered(r cache.ResourceEventHandlerRegistration, err error) (kit.Registration, error) {
	if err != nil {
		return nil, err
	}
	return r.(kit.Registration), nil
}

// handler is a suite's handler as client-go calls it. It listens for panics on their
// way: upstream has one list of listeners for the whole process.
type handler struct {
	kit.ResourceEventHandler[*kit.Pod]
	onPanic func(value any)
}

func (h handler) OnAdd(obj any, isInInitialList bool) {
	defer h.listen()
	h.ResourceEventHandler.OnAdd(podOf(obj), isInInitialList)
}

func (h handler) OnUpdate(oldObj, newObj any) {
	defer h.listen()
	h.ResourceEventHandler.OnUpdate(podOf(oldObj), podOf(newObj))
}

func (h handler) OnDelete(obj any) {
	defer h.listen()
	p, unknown := lastState(obj)
	h.ResourceEventHandler.OnDelete(p, unknown)
}

func (h handler) listen() {
	value := recover()
	if value == nil {
		return
	}
	if h.onPanic != nil {
		h.onPanic(value)
	}
	panic(value)
}
