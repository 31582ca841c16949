package bench

import (
	"context"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllerbook/controllerbook/labs/kit"
	ratelimitingqueue "github.com/controllerbook/controllerbook/solutions/12-rate-limiting-queue"
	priorityqueue "github.com/controllerbook/controllerbook/solutions/13-priority-queue"
	reconciler "github.com/controllerbook/controllerbook/solutions/19-reconciler"
)

// controlling is a controller under way: a source of one kind, with the handler that names
// the object itself, a queue, one worker, and a reconciler that does nothing but report.
// In place of the informer is the benchmark.
type controlling struct {
	update func(old, pod *corev1.Pod) // what an informer calls
	stop   func()                     // returns when Start has
}

// control starts a controller that calls back for each reconcile.
type control func(reconciled func()) controlling

func controllers(b *testing.B, upstream, solution control, measure func(b *testing.B, open func() control)) {
	beside(b, func() control { return upstream }, func() control { return solution }, measure)
}

// BenchmarkController is one update of one of 1000 pods, from the call of the handler to the
// call of Reconcile, and the next update when that has come. Both have the queue that is
// their own side's default, one with priorities.
func BenchmarkController(b *testing.B) {
	controllers(b, withTheirQueue, withOurQueue, func(b *testing.B, open func() control) {
		olds := realPods(1000)
		news := newVersions(olds)
		reconciled := make(chan struct{}, 1)
		c := open()(func() { reconciled <- struct{}{} })
		next := func(i int) {
			c.update(olds[i%len(olds)], news[i%len(news)])
			<-reconciled
		}
		next(-1 + len(olds)) // it works
		b.ResetTimer()
		for i := range b.N {
			next(i)
		}
		b.StopTimer()
		c.stop()
	})
}

// BenchmarkControllerBurst is one update of each of 1000 pods, until all are reconciled.
func BenchmarkControllerBurst(b *testing.B) {
	controllers(b, withTheirQueue, withOurQueue, burst)
}

// BenchmarkControllerBurstOneQueue is the same with client-go's rate limiting queue on both
// sides: what is left is the handler, the worker and what they tell about it.
func BenchmarkControllerBurstOneQueue(b *testing.B) {
	controllers(b,
		func(reconciled func()) controlling {
			return startTheirController(reconciled, func(string, workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
				return oneQueue[reconcile.Request]()
			})
		},
		func(reconciled func()) controlling {
			return startOurController(reconciled, oneQueue[kit.Request]())
		},
		burst)
}

func burst(b *testing.B, open func() control) {
	olds := realPods(1000)
	news := newVersions(olds)
	var reconciled sync.WaitGroup
	c := open()(reconciled.Done)
	round := func() {
		reconciled.Add(len(olds))
		for i := range olds {
			c.update(olds[i], news[i])
		}
		reconciled.Wait()
	}
	round() // it works
	b.ResetTimer()
	for range b.N {
		round()
	}
	b.StopTimer()
	c.stop()
}

func oneQueue[K comparable]() workqueue.TypedRateLimitingInterface[K] {
	return workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[K](baseDelay, maxDelay))
}

func withTheirQueue(reconciled func()) controlling { return startTheirController(reconciled, nil) }

func withOurQueue(reconciled func()) controlling {
	limiter := ratelimitingqueue.NewItemExponentialFailureRateLimiter[kit.Request](baseDelay, maxDelay)
	return startOurController(reconciled, priorityqueue.New(limiter))
}

type theirQueue = func(string, workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request]

// startTheirController starts controller-runtime's; a nil queue is its default. It has no
// logger, so it writes no logs.
func startTheirController(reconciled func(), queue theirQueue) controlling {
	c, err := upstream.NewUnmanaged("bench", upstream.Options{
		SkipNameValidation: new(true),
		NewQueue:           queue,
		Reconciler: reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			reconciled()
			return reconcile.Result{}, nil
		}),
	})
	if err != nil {
		panic(err)
	}
	i := theirInformer{handler: make(chan toolscache.ResourceEventHandler, 1)}
	if err := c.Watch(source.Kind(cache.Cache(theirCache{i: i}), &corev1.Pod{}, &handler.TypedEnqueueRequestForObject[*corev1.Pod]{})); err != nil {
		panic(err)
	}
	stop := running(func(ctx context.Context) { _ = c.Start(ctx) })
	h := <-i.handler
	return controlling{func(old, pod *corev1.Pod) { h.OnUpdate(old, pod) }, stop}
}

// theirCache is a cache with one informer, which has synced.
type theirCache struct {
	cache.Cache
	i theirInformer
}

func (c theirCache) GetInformer(context.Context, client.Object, ...cache.InformerGetOption) (cache.Informer, error) {
	return c.i, nil
}

func (theirCache) WaitForCacheSync(context.Context) bool { return true }

// theirInformer hands its handler to the benchmark.
type theirInformer struct {
	cache.Informer
	handler chan toolscache.ResourceEventHandler
}

func (i theirInformer) AddEventHandlerWithOptions(h toolscache.ResourceEventHandler, _ toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	i.handler <- h
	return synced{}, nil
}

// synced is a registration, of either side.
type synced struct{}

func (synced) HasSynced() bool                          { return true }
func (synced) HasSyncedChecker() toolscache.DoneChecker { return nil }
func (synced) ShutdownChan() <-chan struct{}            { return nil }

func startOurController(reconciled func(), queue kit.RateLimitingQueue[kit.Request]) controlling {
	c := reconciler.New(reconciler.Options{
		Queue: queue,
		Reconciler: kit.ReconcilerFunc(func(context.Context, kit.Request) (kit.Result, error) {
			reconciled()
			return kit.Result{}, nil
		}),
	})
	i := ourInformer{handler: make(chan kit.ResourceEventHandler[*corev1.Pod], 1)}
	if err := c.Watch(reconciler.For(i)); err != nil {
		panic(err)
	}
	stop := running(func(ctx context.Context) { _ = c.Start(ctx) })
	h := <-i.handler
	return controlling{h.OnUpdate, stop}
}

// ourInformer hands its handler to the benchmark.
type ourInformer struct {
	kit.SharedInformer[*corev1.Pod]
	handler chan kit.ResourceEventHandler[*corev1.Pod]
}

func (i ourInformer) AddEventHandler(h kit.ResourceEventHandler[*corev1.Pod]) (kit.Registration, error) {
	i.handler <- h
	return synced{}, nil
}

func (ourInformer) RemoveEventHandler(kit.Registration) error { return nil }
