package reconcilertest

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// synced is so many sources that sync at once, each with a request of its own.
func synced(t *conform.T, count int) []*source {
	sources := make([]*source, count)
	for n := range sources {
		sources[n] = adding(t, 0, string(rune('a'+n)))
	}
	return sources
}

// watchWhileStarting knows by the first reconcile that the sources which came before
// Start have been started. The others are started by Watch itself.
func watchWhileStarting(t *conform.T, s Subject) {
	const watchers, each = 3, 4
	q := newQueue(t, nil)
	worked := make(chan struct{}, 1)
	work := kit.ReconcilerFunc(func(context.Context, kit.Request) (kit.Result, error) {
		select {
		case worked <- struct{}{}:
		default:
		}
		return kit.Result{}, nil
	})
	c := control(t, s, Options{Reconciler: work, Queue: q.plain()})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	q.put("z")
	var refused atomic.Int32
	var starts, watches sync.WaitGroup
	sources := synced(t, watchers*each)
	for w := range watchers {
		a := t.Named("watch %d", w)
		watches.Go(func() {
			for n := range each {
				err := c.as(a).watch(sources[w*each+n])
				t.Assert(err == nil, "Watch returned %q, and no source has failed. nil was due.", err)
			}
		})
	}
	for _, who := range []string{"start 1", "start 2"} {
		a := t.Named("%s", who)
		starts.Go(func() {
			if err := c.as(a).start(ctx); err != nil {
				refused.Add(1)
			}
		})
	}
	watches.Wait()
	<-worked
	cancel()
	starts.Wait()
	t.Require(refused.Load() == 1, "Start was called twice at one moment, both with a ctx that was cancelled after the first reconcile, and %d of the two calls returned an error. One was due: one goes on, and the other is refused.", refused.Load())
	for _, src := range sources {
		started, _ := src.starts()
		t.Require(started == 1, "Watch and Start were called at one moment, and a source was started %d times. Once was due.", started)
	}
}

// meets lets one Watch meet two Starts, many times: what lies between two adjacent steps of
// a subject is hit seldom. Nothing is written down, which would order the calls.
func meets(t *conform.T, s Subject) {
	const rounds = 500
	lost, both, none := 0, 0, 0
	for range rounds {
		started, won := meet(t, s)
		if started != 1 {
			lost++
		}
		switch won {
		case 0:
			none++
		case 2:
			both++
		}
	}
	const calls = "Start was called twice at one moment, and the ctx of both was cancelled after the first reconcile. In %d of %d such rounds "
	t.Require(both == 0, calls+"both calls returned nil. One was due to return an error: a controller starts once, and every other Start returns an error, also when its ctx is done by then.", both, rounds)
	t.Require(none == 0, calls+"both calls returned an error. One was due to return nil: a controller starts once, and that Start returns nil when its ctx is done.", none, rounds)
	t.Require(lost == 0, "In %d of %d rounds, in which Watch and Start were called at one moment, the source was not started once, but never or twice.", lost, rounds)
}

// meet is one round. It says how often the source was started, and how many Starts went on:
// those that returned no error when their ctx was done.
func meet(t *conform.T, s Subject) (started int, won int32) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	worked := make(chan struct{}, 1)
	work := kit.ReconcilerFunc(func(context.Context, kit.Request) (kit.Result, error) {
		worked <- struct{}{}
		return kit.Result{}, nil
	})
	q, src := newQueue(t, nil), &source{}
	c := s.New(Options{Reconciler: work, Queue: q.plain()})
	var starts, watch sync.WaitGroup
	var fine atomic.Int32
	together := probe.Together(3)
	watch.Go(func() {
		together()
		_ = c.Watch(src)
	})
	for range 2 {
		starts.Go(func() {
			together()
			if c.Start(ctx) == nil {
				fine.Add(1)
			}
		})
	}
	watch.Wait()
	q.put("z")
	<-worked
	cancel()
	starts.Wait()
	started, _ = src.starts()
	return started, fine.Load()
}

// leavesTheSlice calls Watch with parts of slices that belong to the caller, who then uses them for something else.
func leavesTheSlice(t *conform.T, s Subject) {
	if s.WatchPart == nil {
		return
	}
	names := []string{"the first", "the second", "the third", "the one that was put in their place"}
	sources := make([]*source, len(names))
	for n := range sources {
		sources[n] = (&source{}).shown(t)
	}
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain()})
	for _, src := range sources[:3] {
		call := t.Call("Watch(the first half of a slice of two sources)")
		untouched, err := s.WatchPart(c.c, src, sources[3])
		call.Returned("%v", err)
		t.Require(err == nil, "Watch returned %s, and no source has failed. nil was due.", conform.Said(err))
		t.Require(untouched, "Watch was called before Start with the first half of a slice of two sources, and has written into that slice, which belongs to the caller. Watch keeps the sources: it needs a slice of its own.")
		t.Note("puts another source into that slice")
	}
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	for n, src := range sources {
		started, _ := src.starts()
		due := min(1, 3-n)
		t.Require(started == due, "Watch was called three times before Start, with a slice of one source each, and the caller put another source in its place afterwards. Of these four sources %s was started %s, and %s was due: Watch keeps the sources that it got, and not the slice.", names[n], conform.Count(started, "time"), conform.Count(due, "time"))
	}
	run.end()
}
