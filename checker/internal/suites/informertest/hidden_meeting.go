package informertest

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
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
