// Package stack puts the labs together that talk to an API server: the client of lab 09
// below, informers of labs 14 to 17 over it, queues of labs 10 to 13, the controller of lab
// 19 and the reconcilers of labs 20 and 23. Each lab is imported once, here, and the checker puts
// the learner's own into its place.
package stack

import (
	"context"
	"net/http"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
	watchhttp "github.com/controllerbook/controllerbook/solutions/09-watch-http"
	workqueue "github.com/controllerbook/controllerbook/solutions/10-workqueue"
	delayingqueue "github.com/controllerbook/controllerbook/solutions/11-delaying-queue"
	ratelimitingqueue "github.com/controllerbook/controllerbook/solutions/12-rate-limiting-queue"
	priorityqueue "github.com/controllerbook/controllerbook/solutions/13-priority-queue"
	deltafifo "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
	indexer "github.com/controllerbook/controllerbook/solutions/15-indexer"
	reflector "github.com/controllerbook/controllerbook/solutions/16-reflector"
	informer "github.com/controllerbook/controllerbook/solutions/17-informer"
	reconciler "github.com/controllerbook/controllerbook/solutions/19-reconciler"
	replicaset "github.com/controllerbook/controllerbook/solutions/20-replicaset"
	operator "github.com/controllerbook/controllerbook/solutions/23-operator"
)

// Client is the client of lab 09 for one type.
type Client[T kit.Object] interface {
	kit.ListerWatcher[T]
	ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error
}

// NewClient makes a client of lab 09.
func NewClient[T kit.Object](typ kit.Type[T], server string, client *http.Client) Client[T] {
	return watchhttp.NewClient(typ, server, watchhttp.Options{HTTP: client})
}

// Informer is an informer of lab 17, and how far its reflector has come.
type Informer[T kit.Object] struct {
	kit.SharedInformer[T]
	Version func() string // "" before the first list
}

// NewInformer makes an informer with a queue of lab 14, a cache of lab 15 and a reflector of
// lab 16. onError gets what the reflector's ListAndWatch returns.
func NewInformer[T kit.Object](source kit.ListerWatcher[T], onError func(err error)) Informer[T] {
	cache := indexer.New[T](nil)
	queue := deltafifo.New(deltafifo.Options[T]{KnownObjects: cache})
	follow := reflector.New(source, queue, reflector.Options{OnError: onError})
	return Informer[T]{
		SharedInformer: informer.New(informer.Options[T]{
			Indexer: cache, Queue: queue,
			Reflect: func(ctx context.Context, _ kit.DeltaStore[T], _ time.Duration, _ func() bool) { follow.Run(ctx) },
		}),
		Version: follow.LastSyncResourceVersion,
	}
}

// Source is where a controller's requests come from (lab 19).
type Source = reconciler.Source

// For and NewSource are sources of lab 19: one that names the object itself, and one that
// runs a handler of the caller's.
func For[T kit.Object](i kit.SharedInformer[T]) Source { return reconciler.For(i) }

func NewSource[T kit.Object](i kit.SharedInformer[T], handler func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T]) Source {
	return reconciler.Kind(i, handler)
}

// NewQueue makes a queue of labs 10, 11 and 12.
func NewQueue() kit.RateLimitingQueue[kit.Request] {
	return ratelimitingqueue.NewRateLimitingQueue(newLimiter(), delayingqueue.New(workqueue.New[kit.Request]()))
}

// NewPriorityQueue makes a queue of lab 13.
func NewPriorityQueue() kit.RateLimitingQueue[kit.Request] { return priorityqueue.New(newLimiter()) }

func newLimiter() kit.RateLimiter[kit.Request] {
	return ratelimitingqueue.NewItemExponentialFailureRateLimiter[kit.Request](5*time.Millisecond, time.Second)
}

// RunController runs a controller of lab 19 until ctx is done.
func RunController(ctx context.Context, r kit.Reconciler, queue kit.RateLimitingQueue[kit.Request], workers int, onError func(kit.Request, error), sources ...Source) error {
	c := reconciler.New(reconciler.Options{Reconciler: r, Queue: queue, MaxConcurrentReconciles: workers, OnError: onError})
	if err := c.Watch(sources...); err != nil {
		return err
	}
	return c.Start(ctx)
}

// ReplicaSetOptions are those of lab 20.
type ReplicaSetOptions = replicaset.Options

// ReplicaSetReconciler is the reconciler of lab 20, with its handlers.
type ReplicaSetReconciler interface {
	kit.Reconciler
	ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet]
	PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod]
}

// NewReplicaSet makes a reconciler of lab 20.
func NewReplicaSet(o ReplicaSetOptions) ReplicaSetReconciler { return replicaset.New(o) }

// OperatorOptions are those of lab 23.
type OperatorOptions = operator.Options

// Operator is the reconciler of lab 23, with its handlers.
type Operator interface {
	kit.Reconciler
	DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database]
	SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret]
}

// NewOperator makes a reconciler of lab 23.
func NewOperator(o OperatorOptions) Operator { return operator.New(o) }
