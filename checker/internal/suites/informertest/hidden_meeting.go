package informertest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// factoryFromAnyGoroutine has four parts of a program use one factory at the same time, as if each
// had it alone. They share nothing else, so the factory alone orders them.
func factoryFromAnyGoroutine(t *conform.T, s Subject) {
	const parts = 4
	f := newFactory(t, s, 0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var pods [parts]*dummy[*kit.Pod]
	var nodes [parts]*dummy[*Node]
	call := t.Call("%d goroutines call InformerFor, Start, WaitForCacheSync and Shutdown", parts)
	var all, ending sync.WaitGroup
	for n := range parts {
		pods[n], nodes[n] = &dummy[*kit.Pod]{a: t.Named("pods informer")}, &dummy[*Node]{a: t.Named("nodes informer")}
		pods[n].synced.Store(true)
		nodes[n].synced.Store(true)
		all.Go(func() {
			f.f.Pods(func(time.Duration) kit.SharedInformer[*kit.Pod] { return pods[n] })
			f.f.Start(ctx)
			f.f.WaitForCacheSync(ctx)
			f.f.Nodes(func(time.Duration) kit.SharedInformer[*Node] { return nodes[n] })
			f.f.Start(ctx)
		})
	}
	all.Wait()
	cancel()
	for range parts {
		ending.Go(f.f.Shutdown)
		ending.Go(func() { f.f.Start(ctx) })
	}
	ending.Wait()
	call.Returned("")
	runs := int32(0)
	for n := range parts {
		runs += pods[n].runs.Load() + nodes[n].runs.Load()
	}
	t.Require(runs == 2, "%d parts of a program asked for pods and for nodes, each called Start, and Run was called for %d informers: one of pods and one of nodes is made, and run once.", parts, runs)
}

// asksWhileItStops asks the informer whether it has stopped, again and again, until it has.
func asksWhileItStops(i Informer) {
	const most = 20_000
	for n := 0; n < most && !i.IsStopped(); n++ {
		runtime.Gosched()
	}
}

// startsMeetInformerFor has InformerFor and Start at the same moment, again and again.
func startsMeetInformerFor(t *conform.T, s Subject) {
	const rounds = 200
	call := t.Call("InformerFor[*Pod] and Start(ctx) at the same moment, and then Start(ctx) once more, of %d factories", rounds)
	odd := 0
	for range rounds {
		ctx, cancel := context.WithCancel(t.Context())
		f, d := s.NewFactory(0), &dummy[*kit.Pod]{a: &conform.Actor{}}
		ask := func() { f.Pods(func(time.Duration) kit.SharedInformer[*kit.Pod] { return d }) }
		probe.AtOnce(ask, func() { f.Start(ctx) })
		f.Start(ctx)
		cancel()
		f.Shutdown()
		if d.runs.Load() != 1 {
			odd++
		}
	}
	call.Returned("")
	t.Require(odd == 0, "In %d of %d rounds, in which InformerFor and Start were called at the same moment and Start once more after that, Run of the informer was not called once, but never or twice.", odd, rounds)
}

// firstAndLast is a cluster whose first list ends everything. It counts the lists.
type firstAndLast struct {
	lists atomic.Int32
	end   func()
}

func (l *firstAndLast) List(context.Context, kit.ListOptions) (kit.List[*kit.Pod], error) {
	l.lists.Add(1)
	l.end()
	return kit.List[*kit.Pod]{}, errors.New("no list any longer")
}

func (l *firstAndLast) Watch(context.Context, kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	return nil, errors.New("no watch any longer")
}

// endsInItsFirstList has informers whose ctx ends in the first list, in which one more handler is added:
// what Run starts has no time before it has to end. Run is called by as many goroutines as callers says.
func endsInItsFirstList(t *conform.T, s Subject, callers int) {
	const rounds, handlers = 100, 3
	call := t.Call("Run(ctx), by %s, of %d informers with %d handlers each: in its first List ctx ends, and one more handler is added",
		conform.Count(callers, "goroutine"), rounds, handlers)
	open, lists := 0, int32(0)
	for range rounds {
		ctx, cancel := context.WithCancel(t.Context())
		var i Informer
		registrations := make(chan kit.Registration, handlers+callers)
		add := func() {
			if r, err := i.AddEventHandler(kit.ResourceEventHandlerFuncs[*kit.Pod]{}); err == nil {
				registrations <- r
			}
		}
		c := &firstAndLast{end: func() { cancel(); add() }}
		i = s.New(newParts(c).quiet())
		for range handlers {
			add()
		}
		probe.AtOnce(slices.Repeat([]func(){func() { i.Run(ctx) }}, callers)...)
		close(registrations)
		for r := range registrations {
			if !probe.Closed(r.ShutdownChan()) {
				open++
			}
		}
		lists = max(lists, c.lists.Load())
	}
	call.Returned("")
	t.Require(lists == 1, "Run was called by %s at the same moment, and the cluster was listed %s. One of the calls runs the informer, and the others do nothing.", conform.Count(callers, "goroutine"), conform.Count(int(lists), "time"))
	t.Require(open == 0, "The ctx of Run ended while the first List was under way. Run returned, and %d times the ShutdownChan of a handler was not closed by then: Run waits for every goroutine that it has started, whether that has begun or not.", open)
}
