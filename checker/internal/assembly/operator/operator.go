// Package operator puts the operator of lab 23 together with the labs that it runs on. It
// is the one place in which they meet.
package operator

import (
	"context"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/assembly/parts"
	"github.com/controllerbook/controllerbook/labs/kit"
	lab "github.com/controllerbook/controllerbook/solutions/23-operator"
)

// What a program that shows an operator has to know of lab 23.
const (
	Finalizer = lab.Finalizer
	Ready     = lab.Ready
	Synced    = lab.Synced
)

// PasswordKey is where a Secret that a Database names has the password.
const PasswordKey = lab.PasswordKey

// CloudName is the name of a Database in the cloud.
func CloudName(db *kit.Database) string { return lab.CloudName(db) }

// Options are what an operator is run with.
type Options struct {
	API     API
	Cloud   kit.Cloud
	Cluster string // its name among those that share the cloud
	Queue   kit.RateLimitingQueue[kit.Request]
	Workers int

	Poll, Resync time.Duration

	// Around returns what is to be called in the place of the learner's reconciler.
	Around  func(r kit.Reconciler) kit.Reconciler
	OnError func(request kit.Request, err error)
}

// Run is one life of an operator: it makes everything anew, informers, caches and reconciler,
// and blocks until ctx is done and all of it has ended.
func Run(ctx context.Context, o Options) error {
	databases := parts.Databases.NewInformer(o.API.Databases, nil)
	secrets := parts.Secrets.NewInformer(o.API.Secrets, nil)
	r := lab.New(lab.Options{ // it may add indices, so the informers do not run yet
		Databases: o.API.Databases, Status: o.API.Status, Secrets: o.API.Secrets,
		DatabaseCache: databases.GetIndexer(), SecretCache: secrets.GetIndexer(),
		Cloud: o.Cloud, Cluster: o.Cluster, Poll: o.Poll, Resync: o.Resync,
	})
	controller := parts.NewController(parts.ControllerOptions{
		Reconciler: o.Around(r), Queue: o.Queue, MaxConcurrentReconciles: o.Workers, OnError: o.OnError,
	}, []parts.Source{
		parts.Databases.NewSource(databases, handler(r.DatabaseHandler)),
		parts.Secrets.NewSource(secrets, handler(r.SecretHandler)),
	})
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	all.Go(func() { databases.Run(ctx) })
	all.Go(func() { secrets.Run(ctx) })
	return controller.Start(ctx)
}

// handler feeds a queue from a handler of the reconciler's.
func handler[T kit.Object](of func(enqueue func(kit.Request)) kit.ResourceEventHandler[T]) func(kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
	return func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] { return of(queue.Add) }
}
