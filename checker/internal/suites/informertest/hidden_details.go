package informertest

import (
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// lateIsWaitedFor has a handler that was added during Run in a call when ctx ends.
func lateIsWaitedFor(t *conform.T, s Subject) {
	i := informer(t, s, newCluster("a"))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	busy := make(chan struct{})
	i.add(t, handler(t, "late").doing(func(string) { <-busy }))
	t.Wait()
	run.cancel()
	time.Sleep(time.Minute)
	early := probe.Closed(run.done)
	close(busy)
	t.Require(!early, "Run's ctx was cancelled while a handler that was added during Run was in a call, and Run returned within a minute. It has to wait for that call.")
	time.Sleep(time.Minute)
	t.Require(probe.Closed(run.done), "The ctx of Run was cancelled and every call has returned, and Run has not.")
}

// lastPopIsWaitedFor has a Pop that takes five seconds more when process has returned.
func lastPopIsWaitedFor(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.queue.dawdles = 5 * time.Second
	i := assemble(t, s, p)
	x := i.add(t, handler(t, "x"))
	run := i.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	run.cancel()
	time.Sleep(time.Second)
	returned, stopped := probe.Closed(run.done), probe.Closed(x.ShutdownChan())
	time.Sleep(time.Minute)
	t.Require(!returned, "Run's ctx was cancelled while a Pop was under way, and Run returned before that Pop had ended.")
	t.Require(!stopped, "Run's ctx was cancelled while a Pop was under way, and a handler's ShutdownChan was closed before that Pop had ended.")
	t.Require(probe.Closed(run.done), "The ctx of Run was cancelled, Reflect has returned and the last Pop has ended, and Run has not returned.")
}

// panicsAtHome has an OnPanic that writes what the handler reads in its next call. Both have no
// lock: the contract promises one goroutine, and the race detector holds a subject to it.
func panicsAtHome(t *conform.T, s Subject) {
	told, calls, missed := 0, 0, false
	c := newCluster("a")
	p := newParts(c)
	p.OnPanic = func(any) { told++ }
	i := assemble(t, s, p)
	i.add(t, handler(t, "x").doing(func(string) {
		if calls++; calls == 1 {
			panic("the handler's own mistake")
		}
		missed = missed || told != 1
	}))
	run := i.run(t)
	defer run.cancel()
	time.Sleep(aMoment)
	c.put(t.Actor, "a")
	time.Sleep(aMoment)
	run.end()
	t.Require(calls == 2, "A handler panicked in its first call, there was one change afterwards, and it was called %d times.", calls)
	t.Require(!missed, "A handler panicked in its first call, and OnPanic had not been called when its second began.")
}

// staysSynced has a handler that is busy with an object which came later.
func staysSynced(t *conform.T, s Subject) {
	c := newCluster("a")
	i := informer(t, s, c)
	goOn, updating, updated := make(chan struct{}), atomic.Bool{}, make(chan struct{})
	r := i.add(t, handler(t, "x").doing(func(line string) {
		if about(line, "later") {
			<-goOn
		} else if updating.Load() {
			<-updated
		}
	}))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	t.Require(i.synced(r, "x"), "All initial OnAdds of the handler \"x\" have returned, and its registration's HasSynced returned false.")
	c.put(t.Actor, "later")
	t.Wait()
	synced := i.synced(r, "x")
	close(goOn)
	if !synced { // is it additions alone that count, or whatever is under way?
		updating.Store(true)
		t.Wait()
		after := i.synced(r, "x")
		c.put(t.Actor, "a")
		t.Wait()
		during := i.synced(r, "x")
		close(updated)
		t.Fatalf("The HasSynced of a registration was true. Then an object was added that the first list did not have, its OnAdd had not returned, and HasSynced returned false: once it is true it stays true. When that OnAdd had returned it was %t, and while an OnUpdate had not returned it was %t.", after, during)
	}
	run.end()
}
