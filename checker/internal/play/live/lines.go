package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/assembly"
	"github.com/controllerbook/controllerbook/checker/internal/assembly/operator"
	"github.com/controllerbook/controllerbook/checker/internal/play"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// lines are the watches between the components and the API server.
type lines struct {
	mu    sync.Mutex
	next  int
	stops map[int]func()
}

// through is api, with every watch of it to be cut.
func (l *lines) through(api assembly.API) assembly.API {
	api.Deployments = line[*kit.Deployment]{api.Deployments, l}
	api.ReplicaSets = line[*kit.ReplicaSet]{api.ReplicaSets, l}
	api.Pods = line[*kit.Pod]{api.Pods, l}
	api.Nodes = line[*kit.Node]{api.Nodes, l}
	return api
}

// throughTo is through for what an operator has of an API server.
func (l *lines) throughTo(api operator.API) operator.API {
	api.Databases = line[*kit.Database]{api.Databases, l}
	api.Secrets = line[*kit.Secret]{api.Secrets, l}
	return api
}

// cut ends all watches, and says how many there were.
func (l *lines) cut() int {
	l.mu.Lock()
	stops := slices.Collect(maps.Values(l.stops))
	l.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
	return len(stops)
}

// keep remembers how to end a watch, for as long as ctx is not done.
func (l *lines) keep(ctx context.Context, stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stops == nil {
		l.stops = map[int]func(){}
	}
	l.next++
	key := l.next
	l.stops[key] = stop
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.stops, key)
	})
}

type resource[T kit.Object] interface {
	kit.Client[T]
	kit.ListerWatcher[T]
}

// line is a resource whose watches are lines.
type line[T kit.Object] struct {
	resource[T]
	lines *lines
}

// Watch starts a watch that can be cut. It is forgotten when it is stopped.
func (l line[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	ctx, end := context.WithCancel(ctx)
	w, err := l.resource.Watch(ctx, options)
	if err != nil {
		end()
		return nil, err
	}
	l.lines.keep(ctx, end)
	return stopping[T]{w, end}, nil
}

// stopping is a watch whose context ends with it.
type stopping[T kit.Object] struct {
	kit.Watch[T]
	end func()
}

func (s stopping[T]) Stop() {
	s.Watch.Stop()
	s.end()
}

// queues are the queues of the controllers, by what they reconcile.
type queues struct {
	mu  sync.Mutex
	all map[string]kit.RateLimitingQueue[kit.Request]
}

type newController = func(assembly.ControllerOptions) assembly.Controller

// named remembers the queue of every controller that is made.
func (q *queues) named(make newController) newController {
	return func(o assembly.ControllerOptions) assembly.Controller {
		_, typ, _ := strings.Cut(fmt.Sprintf("%T", o.Reconciler), ".")
		q.add(strings.TrimSuffix(typ, "Reconciler"), o.Queue)
		return make(o)
	}
}

// add remembers the queue of a controller, in the place of the one of its life before.
func (q *queues) add(name string, queue kit.RateLimitingQueue[kit.Request]) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.all == nil {
		q.all = map[string]kit.RateLimitingQueue[kit.Request]{}
	}
	q.all[name] = queue
}

func (q *queues) lengths() []play.Queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []play.Queue
	for name, queue := range q.all {
		all = append(all, play.Queue{Name: name, Len: queue.Len()})
	}
	slices.SortFunc(all, func(a, b play.Queue) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
