package informertest

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func oneInformerPerType(t *conform.T, open func() Subject) {
	f := newFactory(t, open(), time.Minute)
	made := make(chan *dummy[*kit.Pod], 10)
	t.Go("a second one who asks", func(a *conform.Actor) {
		call := a.Call("InformerFor[*Pod]")
		f.f.Pods(func(time.Duration) kit.SharedInformer[*kit.Pod] {
			for range 100 {
				runtime.Gosched()
			}
			d := &dummy[*kit.Pod]{}
			made <- d
			return d
		})
		call.Returned("")
	})
	var periods []time.Duration
	ask := func() kit.SharedInformer[*kit.Pod] {
		call := t.Call("InformerFor[*Pod]")
		i := f.f.Pods(func(period time.Duration) kit.SharedInformer[*kit.Pod] {
			periods = append(periods, period)
			for range 100 {
				runtime.Gosched() // the other one has time to make another
			}
			d := &dummy[*kit.Pod]{}
			made <- d
			return d
		})
		call.Returned("")
		return i
	}
	first := ask()
	second := ask()
	t.Join()
	require.Len(t, made, 1, "For one type more than one informer was made, or none.")
	require.True(t, first == kit.SharedInformer[*kit.Pod](<-made) && first == second, "Not everybody who asked for an informer of pods was given the one that was made.")
	for _, period := range periods {
		require.Equal(t, time.Minute, period, "An informer was not made with the resync period of the factory.")
	}
	nodes := &dummy[*Node]{}
	require.True(t, f.nodes(nodes) == kit.SharedInformer[*Node](nodes), "Another type was not given an informer of its own.")
	require.True(t, ask() == first, "After an informer for another type was made, pods have another one than before.")
}

// sharer calls a factory of the subject and writes every call down.
type sharer struct {
	a *conform.Actor
	s Subject
	f Factory
}

func newFactory(t *conform.T, s Subject, resync time.Duration) sharer {
	call := t.Call("NewFactory(%v)", resync)
	f := s.NewFactory(resync)
	call.Returned("a factory")
	return sharer{t.Actor, s, f}
}

func (f sharer) pods(d *dummy[*kit.Pod]) kit.SharedInformer[*kit.Pod] {
	call := f.a.Call("InformerFor[*Pod]")
	defer call.Returned("an informer")
	return f.f.Pods(func(time.Duration) kit.SharedInformer[*kit.Pod] { return d })
}

func (f sharer) nodes(d *dummy[*Node]) kit.SharedInformer[*Node] {
	call := f.a.Call("InformerFor[*Node]")
	defer call.Returned("an informer")
	return f.f.Nodes(func(time.Duration) kit.SharedInformer[*Node] { return d })
}

func (f sharer) start(ctx context.Context) {
	call := f.a.Call("Start(ctx)")
	f.f.Start(ctx)
	call.Returned("")
}

func (f sharer) wait(a *conform.Actor, ctx context.Context) bool {
	call := a.Call("WaitForCacheSync(ctx)")
	yes := f.f.WaitForCacheSync(ctx)
	call.Returned("%t", yes)
	return yes
}

func (f sharer) shutdown() {
	call := f.a.Call("Shutdown()")
	f.f.Shutdown()
	call.Returned("")
}

// dummy is an informer of which only Run and HasSynced do something.
type dummy[T kit.Object] struct {
	kit.SharedInformer[T]
	stops  time.Duration // how long it takes to stop
	runs   atomic.Int32
	alive  atomic.Bool
	stuck  chan struct{} // if not nil, Run does not return before it is closed
	synced atomic.Bool
}

func (d *dummy[T]) Run(ctx context.Context) {
	d.runs.Add(1)
	d.alive.Store(true)
	defer d.alive.Store(false)
	<-ctx.Done()
	time.Sleep(d.stops)
	if d.stuck != nil {
		<-d.stuck
	}
}

func (d *dummy[T]) HasSynced() bool { return d.synced.Load() }
