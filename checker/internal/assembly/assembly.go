// Package assembly puts the control plane of lab 22 together with the labs that it is
// made of. It is the one place in which they meet: each is imported once, here, and the
// checker puts the learner's own into the place of whichever it likes.
package assembly

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
	controlplane "github.com/controllerbook/controllerbook/solutions/22-control-plane"
)

// Journals are notified of every change at the API server, before the write that makes it
// returns: a witness sees every state that there ever is. They must not call the API.
type Journals struct {
	Deployments []kit.Journal[*kit.Deployment]
	ReplicaSets []kit.Journal[*kit.ReplicaSet]
	Pods        []kit.Journal[*kit.Pod]
	Nodes       []kit.Journal[*kit.Node]
	Events      []kit.Journal[*kit.CoreEvent]
}

// NewAPI makes an empty API server of labs 07 and 08. window is how many changes of each
// type can still be watched from; 0 is lab 08's own default.
func NewAPI(window int, journals Journals) controlplane.API {
	return controlplane.API{
		Deployments: newResource(kit.Deployments, window, journals.Deployments),
		ReplicaSets: newResource(kit.ReplicaSets, window, journals.ReplicaSets),
		Pods:        newResource(kit.Pods, window, journals.Pods),
		Nodes:       newResource(kit.Nodes, window, journals.Nodes),
		Events:      newResource(kit.CoreEvents, window, journals.Events),
	}
}

// resource is a store that can be watched. Lists come from the watch cache, which has
// every write by the time that it returns.
type resource[T kit.Object] struct {
	*store.Store[T]
	cache *watch.Watchable[T]
}

func newResource[T kit.Object](typ kit.Type[T], window int, journals []kit.Journal[T]) resource[T] {
	cache := watch.New(typ, watch.Options{Window: window})
	all := append([]kit.Journal[T]{cache}, journals...)
	return resource[T]{store.New(typ, all...), cache}
}

func (r resource[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	return r.cache.List(ctx, options)
}

func (r resource[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	return r.cache.Watch(ctx, options)
}

// Parts are the learner's labs, or the references. All components share api; a caller
// that wants one of them to have a worse connection than that sets Connect.
func Parts(api controlplane.API) controlplane.Parts {
	return controlplane.Parts{
		Connect:          func(string) controlplane.API { return api },
		Deployments:      kind[*kit.Deployment](),
		ReplicaSets:      kind[*kit.ReplicaSet](),
		Pods:             kind[*kit.Pod](),
		Nodes:            kind[*kit.Node](),
		NewQueue:         newQueue,
		NewPriorityQueue: newPriorityQueue,
		NewController:    newController,
		NewReplicaSet:    newReplicaSet,
		NewScheduler:     newScheduler,
	}
}

func kind[T kit.Object]() controlplane.Kind[T] {
	return controlplane.Kind[T]{NewInformer: newInformer[T], NewSource: newSource[T]}
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

func newSource[T kit.Object](informer kit.SharedInformer[T], handler controlplane.Handler[T]) controlplane.Source {
	return reconciler.Kind(informer, handler)
}

func newQueue() kit.RateLimitingQueue[kit.Request] {
	delaying := delayingqueue.New(workqueue.New[kit.Request]())
	return ratelimitingqueue.NewRateLimitingQueue(newLimiter(), delaying)
}

func newPriorityQueue() kit.PriorityQueue[kit.Request] {
	return priorityqueue.New(newLimiter())
}

// newLimiter has no bucket, and does not wait 1000 s: in a storm everything fails a few
// times, and is to be right soon after.
func newLimiter() kit.RateLimiter[kit.Request] {
	return ratelimitingqueue.NewItemExponentialFailureRateLimiter[kit.Request](5*time.Millisecond, 10*time.Second)
}

func newController(o controlplane.ControllerOptions) controlplane.Controller {
	c := reconciler.New(reconciler.Options{
		Reconciler: o.Reconciler, Queue: o.Queue, MaxConcurrentReconciles: o.Workers, OnError: o.OnError,
	})
	return watching{c, o.Sources}
}

// watching is a controller whose sources are added when it starts: there an error of theirs
// can be returned.
type watching struct {
	*reconciler.Controller
	sources []controlplane.Source
}

func (w watching) Start(ctx context.Context) error {
	for _, source := range w.sources {
		if err := w.Watch(source); err != nil {
			return err
		}
	}
	return w.Controller.Start(ctx)
}

func newReplicaSet(o controlplane.ReplicaSetOptions) controlplane.ReplicaSetReconciler {
	return replicaset.New(replicaset.Options{
		ReplicaSets: o.ReplicaSets, Pods: o.Pods,
		ReplicaSetCache: o.ReplicaSetCache, PodCache: o.PodCache,
		Recorder: o.Recorder,
	})
}

func newScheduler(o controlplane.SchedulerOptions) controlplane.Scheduler {
	return scheduler.New(scheduler.Options{Pods: o.Pods, Recorder: o.Recorder})
}

// What a program needs of lab 22 that runs a control plane: this is the one file in
// which the lab is imported.
type (
	API               = controlplane.API
	ControlPlane      = controlplane.ControlPlane
	Options           = controlplane.Options
	Machine           = controlplane.Machine
	Life              = controlplane.Life
	Controller        = controlplane.Controller
	ControllerOptions = controlplane.ControllerOptions
)

// New makes a control plane of parts.
func New(parts controlplane.Parts, options Options) *ControlPlane {
	return controlplane.New(parts, options)
}
