package upstream

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/checker/internal/suites/informertest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// factory is upstream's factory with informers of the suite in it. They run and say
// when they have synced there, and come back as what they were.
type factory struct {
	informers.SharedInformerFactory
}

func (f factory) Start(ctx context.Context) { f.StartWithContext(ctx) }

func (f factory) WaitForCacheSync(ctx context.Context) bool {
	return f.WaitForCacheSyncWithContext(ctx).Err == nil
}

func (f factory) Pods(newInformer func(time.Duration) kit.SharedInformer[*kit.Pod]) kit.SharedInformer[*kit.Pod] {
	return informerFor(f, &object{}, newInformer)
}

func (f factory) Nodes(newInformer func(time.Duration) kit.SharedInformer[*informertest.Node]) kit.SharedInformer[*informertest.Node] {
	return informerFor(f, &node{}, newInformer)
}

// node stands for the type of nodes: a factory looks at nothing else.
type node struct{ object }

func informerFor[T kit.Object](f factory, typ runtime.Object, newInformer func(time.Duration) kit.SharedInformer[T]) kit.SharedInformer[T] {
	return f.InformerFor(typ, func(_ kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		return &made[T]{ours: newInformer(resync), ended: make(chan struct{})}
	}).(*made[T]).ours
}

// made is an informer of the suite as a factory sees it.
type made[T kit.Object] struct {
	cache.SharedIndexInformer // for the methods that no factory calls
	ours                      kit.SharedInformer[T]
	ended                     chan struct{} // closed when Run has returned
}

func (m *made[T]) HasSynced() bool { return m.ours.HasSynced() }

func (m *made[T]) RunWithContext(ctx context.Context) {
	defer close(m.ended)
	m.ours.Run(ctx)
}

// HasSyncedChecker makes a channel of a question that has to be asked again and again.
func (m *made[T]) HasSyncedChecker() cache.DoneChecker {
	c := checker{make(chan struct{})}
	go func() {
		for !m.ours.HasSynced() {
			select {
			case <-time.After(50 * time.Millisecond):
			case <-m.ended:
				return
			}
		}
		close(c.done)
	}()
	return c
}

type checker struct{ done chan struct{} }

func (c checker) Name() string          { return "an informer of the suite" }
func (c checker) Done() <-chan struct{} { return c.done }
