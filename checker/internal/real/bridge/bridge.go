// Package watchhttp hands the labs to the suite of checker real. It has the name of the
// first of them, like every bridge, because the pins of the others are compiled into it.
package watchhttp

import (
	"context"
	"net/http"
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/real/realtest"
	"github.com/controllerbook/controllerbook/checker/internal/real/site"
	"github.com/controllerbook/controllerbook/checker/internal/real/stack"
	"github.com/controllerbook/controllerbook/checker/internal/real/writer"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Cases are the suite's. They run under checker real, which says by the environment where the
// server is.
func Cases(t *testing.T) {
	if _, there, _ := site.Load(); !there {
		t.Skip("checker real runs these cases: it brings the server")
	}
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			Entries: kind[*suite.Entry](), Widgets: kind[*suite.Widget](), Pods: kind[*kit.Pod](), ReplicaSets: kind[*kit.ReplicaSet](),
			Databases: kind[*kit.Database](), Secrets: kind[*kit.Secret](),
			NewPodClient:        client[*writer.Pod],
			NewReplicaSetClient: client[*writer.ReplicaSet],
			NewQueue:            stack.NewQueue,
			NewPriorityQueue:    stack.NewPriorityQueue,
			RunController:       runController,
			NewReplicaSet: func(p suite.ReplicaSetParts) suite.ReplicaSetReconciler {
				return stack.NewReplicaSet(stack.ReplicaSetOptions{
					ReplicaSets: p.ReplicaSets, Pods: p.Pods, ReplicaSetCache: p.ReplicaSetCache, PodCache: p.PodCache,
					ReplicaSetCacheVersion: p.ReplicaSetCacheVersion, PodCacheVersion: p.PodCacheVersion,
				})
			},
			NewOperator: func(p suite.OperatorParts) suite.Operator { return stack.NewOperator(stack.OperatorOptions(p)) },
		}
	})
}

func kind[T kit.Object]() suite.Kind[T] {
	return suite.Kind[T]{
		NewClient: client[T],
		NewInformer: func(source kit.ListerWatcher[T], onError func(error)) suite.Informer[T] {
			i := stack.NewInformer(source, onError)
			return suite.Informer[T]{SharedInformer: i.SharedInformer, Version: i.Version}
		},
		For: func(i kit.SharedInformer[T]) suite.Source { return stack.For(i) },
		NewSource: func(i kit.SharedInformer[T], handler func(kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T]) suite.Source {
			return stack.NewSource(i, handler)
		},
	}
}

func client[T kit.Object](typ kit.Type[T], server string, http *http.Client) suite.Client[T] {
	return stack.NewClient(typ, server, http)
}

func runController(ctx context.Context, r kit.Reconciler, queue kit.RateLimitingQueue[kit.Request], workers int, onError func(kit.Request, error), sources ...suite.Source) error {
	own := make([]stack.Source, len(sources))
	for i, s := range sources {
		own[i] = s
	}
	return stack.RunController(ctx, r, queue, workers, onError, own...)
}
