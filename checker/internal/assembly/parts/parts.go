// Package parts makes what labs 22 and 23 run on: labs 07 to 21. Each is imported
// once, here, and the checker puts the learner's own into the place of whichever it likes.
//
// It knows nothing of lab 22 or 23, and its exported names have no type parameters left to
// fill in, so the generic code of the labs is compiled here and an edit of lab 22
// compiles none of it again.
package parts

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
	store "github.com/controllerbook/controllerbook/solutions/07-store"
	watch "github.com/controllerbook/controllerbook/solutions/08-watch"
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
	scheduler "github.com/controllerbook/controllerbook/solutions/21-scheduler"
)

// Resource is one type of object at the API server.
type Resource[T kit.Object] interface {
	kit.Client[T]
	kit.ListerWatcher[T]
}

// Makers of an empty resource of labs 07 and 08. window is how many changes can still be
// watched from; 0 is lab 08's own default. Journals are notified of every change before the
// write that makes it returns.
var (
	NewDeployments = maker(kit.Deployments)
	NewReplicaSets = maker(kit.ReplicaSets)
	NewPods        = maker(kit.Pods)
	NewNodes       = maker(kit.Nodes)
	NewEvents      = maker(kit.CoreEvents)
	NewDatabases   = maker(kit.Databases)
	NewSecrets     = maker(kit.Secrets)
)

func maker[T kit.Object](typ kit.Type[T]) func(window int, journals []kit.Journal[T]) Resource[T] {
	return func(window int, journals []kit.Journal[T]) Resource[T] {
		cache := watch.New(typ, watch.Options{Window: window})
		all := append([]kit.Journal[T]{cache}, journals...)
		return resource[T]{store.New(typ, all...), cache}
	}
}

// resource is a store that can be watched. Lists come from the watch cache, which has
// every write by the time that it returns.
type resource[T kit.Object] struct {
	*store.Store[T]
	cache *watch.Watchable[T]
}

func (r resource[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	return r.cache.List(ctx, options)
}

func (r resource[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	return r.cache.Watch(ctx, options)
}

// Source is where a controller's requests come from (lab 19).
type Source = reconciler.Source

// Kind makes informers (labs 14 to 17) and sources (lab 19) of one type of object.
type Kind[T kit.Object] struct {
	NewInformer func(source kit.ListerWatcher[T], indices map[string]kit.IndexFunc[T]) kit.SharedInformer[T]
	NewSource   func(informer kit.SharedInformer[T], handler func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T]) Source
}

// The kinds that a control plane and an operator follow.
var (
	Deployments = kind[*kit.Deployment]()
	ReplicaSets = kind[*kit.ReplicaSet]()
	Pods        = kind[*kit.Pod]()
	Nodes       = kind[*kit.Node]()
	Databases   = kind[*kit.Database]()
	Secrets     = kind[*kit.Secret]()
)

func kind[T kit.Object]() Kind[T] {
	return Kind[T]{NewInformer: newInformer[T], NewSource: newSource[T]}
}

func newInformer[T kit.Object](source kit.ListerWatcher[T], indices map[string]kit.IndexFunc[T]) kit.SharedInformer[T] {
	cache := indexer.New(indices)
	return informer.New(informer.Options[T]{
		Indexer: cache,
		Queue:   deltafifo.New(deltafifo.Options[T]{KnownObjects: cache}),
		Reflect: func(ctx context.Context, store kit.DeltaStore[T], period time.Duration, should func() bool) {
			reflector.New(source, store, reflector.Options{ResyncPeriod: period, ShouldResync: should}).Run(ctx)
		},
	})
}

func newSource[T kit.Object](informer kit.SharedInformer[T], handler func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T]) Source {
	return reconciler.Kind(informer, handler)
}

// NewQueue makes a queue of labs 10, 11 and 12.
func NewQueue() kit.RateLimitingQueue[kit.Request] {
	delaying := delayingqueue.New(workqueue.New[kit.Request]())
	return ratelimitingqueue.NewRateLimitingQueue(newLimiter(), delaying)
}

// NewPriorityQueue makes a queue of lab 13.
func NewPriorityQueue() kit.PriorityQueue[kit.Request] {
	return priorityqueue.New(newLimiter())
}

// newLimiter has no bucket, and does not wait 1000 s: in a storm everything fails a few
// times, and is to be right soon after.
func newLimiter() kit.RateLimiter[kit.Request] {
	return ratelimitingqueue.NewItemExponentialFailureRateLimiter[kit.Request](5*time.Millisecond, 10*time.Second)
}

// ControllerOptions, ReplicaSetOptions and SchedulerOptions are those of labs 19, 20 and 21.
type (
	ControllerOptions = reconciler.Options
	ReplicaSetOptions = replicaset.Options
	SchedulerOptions  = scheduler.Options
)

// Controller is a controller of lab 19 whose sources are added when it starts: there an
// error of theirs can be returned.
type Controller struct {
	*reconciler.Controller
	sources []Source
}

// NewController makes a controller that watches sources.
func NewController(o ControllerOptions, sources []Source) Controller {
	return Controller{reconciler.New(o), sources}
}

// Start adds the sources and blocks until ctx is done and the workers have ended.
func (c Controller) Start(ctx context.Context) error {
	for _, source := range c.sources {
		if err := c.Watch(source); err != nil {
			return err
		}
	}
	return c.Controller.Start(ctx)
}

// NewReplicaSet makes a reconciler of lab 20.
func NewReplicaSet(o ReplicaSetOptions) *replicaset.ReplicaSetReconciler { return replicaset.New(o) }

// NewScheduler makes a scheduler of lab 21.
func NewScheduler(o SchedulerOptions) *scheduler.Scheduler { return scheduler.New(o) }
