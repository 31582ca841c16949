package upstream

import (
	"context"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllerbook/controllerbook/checker/internal/suites/reconcilertest"
	"github.com/controllerbook/controllerbook/labs/kit"
	reconciler "github.com/controllerbook/controllerbook/solutions/19-reconciler"
)

// The controller works on the suite's queue, and its sources of kinds listen to the
// suite's informers. Upstream has no RateLimited: there everybody writes a handler for
// it, so the one of the solution stands between upstream's sources and the queue.
func TestReconciler(t *testing.T) {
	run(t, reconcilertest.Lab(), reconcilertest.Cases(), func() reconcilertest.Subject {
		return reconcilertest.Subject{
			New:  newController,
			Kind: kindSource, For: forSource, Owns: ownsSource, Watches: watchesSource,
			RateLimited:       func(s reconcilertest.Source) reconcilertest.Source { return reconciler.RateLimited(s) },
			GenerationChanged: generationChanged,
		}
	})
}

func newController(o reconcilertest.Options) reconcilertest.Controller {
	c, err := controller.NewUnmanaged("lab-19", controller.Options{
		SkipNameValidation:      new(true), // every case makes one of that name
		MaxConcurrentReconciles: o.MaxConcurrentReconciles,
		CacheSyncTimeout:        o.CacheSyncTimeout,
		ReconciliationTimeout:   o.ReconciliationTimeout,
		RecoverPanic:            o.RecoverPanic,
		Reconciler:              theirReconciler{o.Reconciler},
		NewQueue: func(string, theirLimiter) theirQueue {
			return toTheirs(o.Queue)
		},
		LogConstructor: func(r *reconcile.Request) logr.Logger { return logr.New(errorLog{o.OnError, r}) },
	})
	if err != nil {
		panic(err)
	}
	return theirController{c}
}

type theirController struct{ controller.Controller }

// Watch hands over one source after the other, as upstream's takes one.
func (c theirController) Watch(sources ...reconcilertest.Source) error {
	var first error
	for _, s := range sources {
		if err := c.Controller.Watch(ourSource{s}); first == nil {
			first = err
		}
	}
	return first
}

func (c theirController) Reconcile(ctx context.Context, r kit.Request) (kit.Result, error) {
	result, err := c.Controller.Reconcile(ctx, theirRequest(r))
	return kit.Result{RequeueAfter: result.RequeueAfter, Requeue: result.Requeue, Priority: result.Priority}, err
}

type theirReconciler struct{ kit.Reconciler }

// Reconcile makes terminal errors what upstream takes for such.
func (r theirReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	result, err := r.Reconciler.Reconcile(ctx, ourRequest(request))
	if kit.IsTerminal(err) {
		err = reconcile.TerminalError(err)
	}
	return reconcile.Result{RequeueAfter: result.RequeueAfter, Requeue: result.Requeue, Priority: result.Priority}, err
}

// errorLog is how upstream reports the errors of a reconcile: it writes a log.
type errorLog struct {
	onError func(r kit.Request, err error)
	request *reconcile.Request
}

func (l errorLog) Init(logr.RuntimeInfo)          {}
func (l errorLog) Enabled(int) bool               { return true }
func (l errorLog) Info(int, string, ...any)       {}
func (l errorLog) WithValues(...any) logr.LogSink { return l }
func (l errorLog) WithName(string) logr.LogSink   { return l }
func (l errorLog) Error(err error, what string, _ ...any) {
	if what == "Reconciler error" && l.request != nil && l.onError != nil {
		l.onError(ourRequest(*l.request), err)
	}
}

func ourRequest(r reconcile.Request) kit.Request {
	return kit.Request{Namespace: r.Namespace, Name: r.Name}
}

func theirRequest(r kit.Request) (request reconcile.Request) {
	request.Namespace, request.Name = r.Namespace, r.Name
	return request
}

type (
	ourQueue     = kit.RateLimitingQueue[kit.Request]
	theirQueue   = workqueue.TypedRateLimitingInterface[reconcile.Request]
	theirLimiter = workqueue.TypedRateLimiter[reconcile.Request]
)

// toTheirs is a queue of ours for upstream's requests, with priorities if it has them.
func toTheirs(q ourQueue) theirQueue {
	t := translated[reconcile.Request, kit.Request]{q, ourRequest, theirRequest}
	if p, ok := q.(kit.PriorityQueue[kit.Request]); ok {
		return theirPriorities{t, p}
	}
	return t
}

// toOurs is the other way around.
func toOurs(q theirQueue) ourQueue {
	t := translated[kit.Request, reconcile.Request]{q, theirRequest, ourRequest}
	if p, ok := q.(priorityqueue.PriorityQueue[reconcile.Request]); ok {
		return ourPriorities{t, p}
	}
	return t
}

type theirPriorities struct {
	theirQueue
	p kit.PriorityQueue[kit.Request]
}

func (q theirPriorities) AddWithOpts(o priorityqueue.AddOpts, requests ...reconcile.Request) {
	for _, r := range requests {
		q.p.AddWithOpts(kit.AddOpts(o), ourRequest(r))
	}
}

func (q theirPriorities) GetWithPriority() (reconcile.Request, int, bool) {
	r, priority, shutdown := q.p.GetWithPriority()
	return theirRequest(r), priority, shutdown
}

type ourPriorities struct {
	ourQueue
	p priorityqueue.PriorityQueue[reconcile.Request]
}

func (q ourPriorities) AddWithOpts(o kit.AddOpts, requests ...kit.Request) {
	for _, r := range requests {
		q.p.AddWithOpts(priorityqueue.AddOpts(o), theirRequest(r))
	}
}

func (q ourPriorities) GetWithPriority() (kit.Request, int, bool) {
	r, priority, shutdown := q.p.GetWithPriority()
	return ourRequest(r), priority, shutdown
}
