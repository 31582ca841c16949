package informertest

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func oneInformerPerType(t *conform.T, open func() Subject) {
	f := newFactory(t, open(), time.Minute)
	made := make(chan *dummy[*kit.Pod], 10)
	var asking sync.WaitGroup // for the first call of each of two
	asking.Add(2)
	both := sync.OnceFunc(asking.Done)
	t.Go("a second one who asks", func(a *conform.Actor) {
		call := a.Call("InformerFor[*Pod]")
		asking.Done()
		f.f.Pods(func(time.Duration) kit.SharedInformer[*kit.Pod] { return slowly(&asking, made) })
		call.Returned("")
	})
	var periods []time.Duration
	ask := func() kit.SharedInformer[*kit.Pod] {
		call := t.Call("InformerFor[*Pod]")
		both()
		i := f.f.Pods(func(period time.Duration) kit.SharedInformer[*kit.Pod] {
			periods = append(periods, period)
			return slowly(&asking, made)
		})
		call.Returned("")
		return i
	}
	first := ask()
	second := ask()
	t.Join()
	t.Require(len(made) == 1, "Three calls asked for the informer of pods, and newInformer was called %s: one informer is made for one type.", conform.Count(len(made), "time"))
	t.Require(first == kit.SharedInformer[*kit.Pod](<-made) && first == second, "Three calls asked for the informer of pods, one was made, and not every call returned that one.")
	for _, period := range periods {
		t.Require(period == time.Minute, "The factory's resync period is 1m, and it called newInformer with %v.", period)
	}
	nodes := &dummy[*Node]{}
	t.Require(f.nodes(nodes) == kit.SharedInformer[*Node](nodes), "InformerFor[*Node] did not return the informer that was made for nodes.")
	t.Require(ask() == first, "An informer for nodes was made, and then InformerFor[*Pod] returned another informer than before.")
	for _, period := range []time.Duration{0, time.Nanosecond, 300 * time.Millisecond, 36 * time.Hour} {
		periodAsItIs(t, open(), period)
	}
}

// slowly makes an informer when both are asking, and gives the other one time to make another.
func slowly(asking *sync.WaitGroup, made chan<- *dummy[*kit.Pod]) *dummy[*kit.Pod] {
	asking.Wait()
	for range 100 {
		runtime.Gosched()
	}
	d := &dummy[*kit.Pod]{}
	made <- d
	return d
}

// periodAsItIs has a factory whose resync period is none, or shorter than a handler can have, or long.
func periodAsItIs(t *conform.T, s Subject, period time.Duration) {
	f := newFactory(t, s, period)
	call := f.a.Call("InformerFor[*Pod]")
	var got time.Duration
	f.f.Pods(func(passed time.Duration) kit.SharedInformer[*kit.Pod] {
		got = passed
		return &dummy[*kit.Pod]{}
	})
	call.Returned("")
	t.Require(got == period, "The factory's resync period is %v, and it called newInformer with %v.", period, got)
}

// sharer calls a factory of the subject and writes every call down.
type sharer struct {
	t *conform.T
	a *conform.Actor
	s Subject
	f Factory
}

func newFactory(t *conform.T, s Subject, resync time.Duration) sharer {
	var f Factory
	t.Do(func() { f = s.NewFactory(resync) }, "NewFactory(%v)", resync)
	return sharer{t, t.Actor, s, f}
}

func (f sharer) pods(d *dummy[*kit.Pod]) kit.SharedInformer[*kit.Pod] {
	d.a = f.t.Named("pods informer")
	call := f.a.Call("InformerFor[*Pod]")
	defer call.Returned("an informer")
	return f.f.Pods(func(time.Duration) kit.SharedInformer[*kit.Pod] { return d })
}

func (f sharer) nodes(d *dummy[*Node]) kit.SharedInformer[*Node] {
	d.a = f.t.Named("nodes informer")
	call := f.a.Call("InformerFor[*Node]")
	defer call.Returned("an informer")
	return f.f.Nodes(func(time.Duration) kit.SharedInformer[*Node] { return d })
}

func (f sharer) start(ctx context.Context) { f.a.Do(func() { f.f.Start(ctx) }, "Start(ctx)") }

func (f sharer) wait(a *conform.Actor, ctx context.Context) bool {
	return conform.Do(a, func() bool { return f.f.WaitForCacheSync(ctx) }, "WaitForCacheSync(ctx)")
}

func (f sharer) shutdown() { f.a.Do(f.f.Shutdown, "Shutdown()") }

// dummy is an informer of which only Run and HasSynced do something.
type dummy[T kit.Object] struct {
	kit.SharedInformer[T]
	a      *conform.Actor
	stops  time.Duration // how long it takes to stop
	runs   atomic.Int32
	alive  atomic.Bool
	stuck  chan struct{} // if not nil, Run does not return before it is closed
	begun  bool          // somebody else has called Run, so another one returns at once
	synced atomic.Bool
	asked  func() // called after each HasSynced, if not nil
}

func (d *dummy[T]) Run(ctx context.Context) {
	defer d.a.Callback("Run(ctx)").Returned("")
	if d.runs.Add(1) > 1 {
		d.a.Breaks("Run is called a second time.")
	}
	if d.begun {
		return
	}
	d.alive.Store(true)
	defer d.alive.Store(false)
	<-ctx.Done()
	time.Sleep(d.stops)
	if d.stuck != nil {
		<-d.stuck
	}
}

// ran requires that Run was called so often. The sentence says what has happened otherwise.
func (d *dummy[T]) ran(t *conform.T, times int32, sentence string) {
	if runs := d.runs.Load(); runs != times {
		t.Fatalf("%s Its Run was called %d times instead of %d.", sentence, runs, times)
	}
}

// sync makes HasSynced true.
func (d *dummy[T]) sync() {
	d.a.Note("has synced")
	d.synced.Store(true)
}

func (d *dummy[T]) HasSynced() bool {
	if d.asked != nil {
		defer d.asked()
	}
	return d.synced.Load()
}
