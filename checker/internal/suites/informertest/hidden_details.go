package informertest

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// lateIsWaitedFor has a handler that was added during Run in a call when ctx ends. It may have been removed in that call.
func lateIsWaitedFor(t *conform.T, s Subject, removed bool) {
	i := informer(t, s, newCluster("a"))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	busy := make(chan struct{})
	r := i.add(t, handler(t, "late").doing(func(string) { <-busy }))
	t.Wait()
	in := "in a call"
	if removed {
		i.removes(t, r, "late", "A handler was removed during Run, while it was in a call")
		in = "in a call, in which it was removed"
	}
	run.cancel()
	time.Sleep(time.Minute)
	early := probe.Closed(run.done)
	close(busy)
	t.Require(!early, "Run's ctx was cancelled while a handler that was added during Run was %s, and Run returned within a minute. It has to wait for that call.", in)
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

// closeIsWaitedFor has a Close of the Queue that takes five seconds more when the Queue is closed.
func closeIsWaitedFor(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.queue.closes = 5 * time.Second
	i := assemble(t, s, p)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	run.cancel()
	time.Sleep(time.Second)
	returned := probe.Closed(run.done)
	time.Sleep(time.Minute)
	t.Require(!returned, "Run's ctx was cancelled, the Close of the Queue takes 5s, and Run returned within a second: a goroutine was left in it.")
	t.Require(probe.Closed(run.done), "Run's ctx was cancelled, the Close of the Queue took 5s, and Run has not returned within a minute.")
}

// panicsAtHome has an OnPanic that writes what the handler reads in its next call. Both have no
// lock: the contract promises one goroutine, and the race detector holds a subject to it. The
// panic is one of Go's own, whose value is no string.
func panicsAtHome(t *conform.T, s Subject) {
	told, calls, missed := 0, 0, false
	var got any
	var home, there string
	var none []string
	c := newCluster("a")
	p := newParts(c)
	p.OnPanic = func(value any) {
		told++
		got, there = value, probe.Goroutine()
	}
	i := assemble(t, s, p)
	i.add(t, handler(t, "x").doing(func(string) {
		if calls++; calls == 1 {
			home = probe.Goroutine()
			none[told] = "an index out of range"
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
	_, itself := got.(runtime.Error)
	t.Require(itself, "A handler used an index out of range, which panics with a runtime.Error, and OnPanic was called with a %T. It gets the value of the panic itself.", got)
	t.Require(there == home, elsewhere)
}

// elsewhere says that OnPanic was called where it is not called.
const elsewhere = "A handler panicked, and OnPanic was called on another goroutine than the call that panicked: it gets the value of the panic on the goroutine of that call."

// panicsAfterItsRemoval removes a handler in a call that panics afterwards, with an OnPanic that
// takes a minute. The call of another handler panics after the end of Run's ctx.
func panicsAfterItsRemoval(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	goOn, atTheEnd, told := make(chan struct{}), make(chan struct{}), make(chan any, 10)
	p.OnPanic = func(value any) {
		defer p.a.Callback("OnPanic(%v)", value).Returned("")
		told <- value
		time.Sleep(time.Minute)
	}
	i := assemble(t, s, p)
	r := i.add(t, handler(t, "x").doing(func(string) {
		<-goOn
		panic("after its removal")
	}))
	i.add(t, handler(t, "y").doing(func(string) {
		<-atTheEnd
		panic("after the end of ctx")
	}))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	i.removes(t, r, "x", "A handler was removed during Run, while it was in a call")
	close(goOn)
	time.Sleep(time.Second)
	t.Require(len(told) == 1, "A handler was removed in a call, and a second ago that call panicked. OnPanic was called %s: it hears of every panic, at once.", conform.Count(len(told), "time"))
	t.Require(!probe.Closed(r.ShutdownChan()), "A handler was removed in a call that panicked, and its ShutdownChan was closed while OnPanic was under way. OnPanic is a part of the call.")
	time.Sleep(2 * time.Minute)
	t.Require(probe.Closed(r.ShutdownChan()), "A handler was removed in a call that panicked, OnPanic has returned, and its ShutdownChan is not closed.")
	run.cancel()
	time.Sleep(time.Second)
	close(atTheEnd)
	time.Sleep(time.Second)
	ended := probe.Closed(run.done)
	<-run.done
	t.Require(len(told) == 2, "Run's ctx was cancelled while the handler \"y\" was in a call, and a second later that call panicked. OnPanic was called %s for it: it hears of every panic, at once.", conform.Count(len(told)-1, "time"))
	t.Require(!ended, "Run's ctx was cancelled while the handler \"y\" was in a call, that call panicked, and Run returned while OnPanic was under way. OnPanic is a part of the call, and Run waits for it.")
}

// panicsSideBySide has two handlers panic. OnPanic is still under way for the first when the second
// does. It runs outside a bubble, as what it may show is a lock that is held.
func panicsSideBySide(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	first, release := make(chan struct{}), make(chan struct{})
	var told atomic.Int32
	p.OnPanic = func(value any) {
		defer p.a.Callback("OnPanic(%v)", value).Returned("")
		if told.Add(1) == 1 {
			close(first)
			<-release
		}
	}
	i := assemble(t, s, p)
	i.add(t, handler(t, "x").doing(func(string) { panic("x fails first") }))
	i.add(t, handler(t, "y").doing(func(string) {
		<-first
		panic("y fails second")
	}))
	run := i.run(t)
	defer run.cancel()
	<-first
	t.Wait()
	times := int(told.Load())
	close(release)
	t.Require(times == 2, "OnPanic was under way for the panic of the handler \"x\", and the handler \"y\" panicked. OnPanic was called %s before it had returned for \"x\": it is called at once, and handlers do not wait for each other.", conform.Count(times, "time"))
	run.end()
}

// onPanicCallsTheInformer asks and removes from OnPanic. It runs outside a bubble, as what
// it may show is a lock that is held.
func onPanicCallsTheInformer(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	own, removed, home := make(chan kit.Registration, 1), make(chan bool, 1), make(chan string, 1)
	var i client
	p.OnPanic = func(value any) {
		defer p.a.Callback("OnPanic(%v)", value).Returned("")
		me, r := i.as(p.a), <-own
		me.synced(r, "x")
		me.hasSynced()
		me.isStopped()
		me.stored()
		_ = me.remove(r, "x")
		removed <- probe.Goroutine() == <-home
	}
	i = assemble(t, s, p)
	own <- i.add(t, handler(t, "x").doing(func(string) {
		home <- probe.Goroutine()
		panic("the handler's own mistake")
	}))
	run := i.run(t)
	defer run.cancel()
	t.Require(<-removed, elsewhere)
	run.end()
}

// callsTheInformerAtTheEnd has a handler call the informer while Run waits for that handler.
func callsTheInformerAtTheEnd(t *conform.T, s Subject) {
	i := informer(t, s, newCluster("a"))
	own, inCall, goOn := make(chan kit.Registration, 1), make(chan struct{}), make(chan struct{})
	late := make(chan kit.Registration, 1)
	x := handler(t, "x")
	x.doing(func(string) {
		close(inCall)
		<-goOn
		me, r := i.as(x.a), <-own
		me.synced(r, "x")
		me.hasSynced()
		me.isStopped()
		me.stored()
		if r, err := me.try(handler(t, "too late")); err == nil {
			late <- r // it may be refused, too
		}
		_ = me.remove(r, "x")
	})
	own <- i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	<-inCall
	run.cancel()
	t.Wait()
	close(goOn)
	<-run.done
	if len(late) > 0 {
		t.Require(probe.Closed((<-late).ShutdownChan()), "A handler was added when ctx had ended and Run waited for the call of another one. AddEventHandler returned a registration, Run has returned, and the ShutdownChan of that registration is not closed.")
	}
}

// restsWhenNothingIsPending has a handler panic in the last call that is pending, and a change
// come within the second after it.
func restsWhenNothingIsPending(t *conform.T, s Subject) {
	c := newCluster("a")
	i := informer(t, s, c)
	x := handler(t, "x").doing(func(line string) {
		if about(line, "a") {
			panic("cannot digest " + line)
		}
	})
	i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	panicked := x.times()
	t.Require(len(panicked) == 1, "The first list brought a@1, and the handler was called %s.", conform.Count(len(panicked), "time"))
	time.Sleep(100 * time.Millisecond)
	c.put(t.Actor, "b")
	time.Sleep(aMoment)
	at := x.times()
	x.hears(t, "A handler panicked, and 100ms later another object was added.", "add a@1 initial", "add b@2")
	after := at[1] - panicked[0]
	t.Require(after >= time.Second, "A handler panicked when nothing else was pending, 100ms later b@2 was added, and the handler was called %v after its panic. It is left alone for a second.", after)
	run.end()
}

// joinsDuringTheFirstList adds a handler when half of the first list is in the Indexer. Of what
// the Queue still has it hears by OnAdd with isInInitialList, too.
func joinsDuringTheFirstList(t *conform.T, s Subject) {
	p := newParts(newCluster("a", "b", "c"))
	p.queue.dawdles = 5 * time.Second
	i := assemble(t, s, p)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(7 * time.Second)
	goOn := make(chan struct{})
	joins := handler(t, "joins").doing(func(line string) {
		if about(line, "c") {
			<-goOn
		}
	})
	r := i.add(t, joins)
	time.Sleep(time.Minute)
	synced, informerSynced := i.synced(r, "joins"), i.hasSynced()
	close(goOn)
	t.Require(informerSynced, "The first list is in the Indexer, and the informer's HasSynced returned false.")
	t.Require(!synced, "A handler was added when a and b of the first list were in the Indexer and c was not. Its OnAdd of c, with isInInitialList true, has not returned, and its registration's HasSynced returned true.")
	t.Wait()
	joins.hearsAnyOrder(t, "A handler was added when a and b of the first list were in the Indexer and c was not. It hears of each once, marked as initial.",
		"add a@1 initial", "add b@2 initial", "add c@3 initial")
	t.Require(i.synced(r, "joins"), "All initial OnAdds of a handler that was added during the first list have returned, and its registration's HasSynced returned false.")
	run.end()
}

// initialIsPending has a handler that is in the call for a ghost, with its initial OnAdds pending. An informer
// with a queue of its own knows no ghost.
func initialIsPending(t *conform.T, s Subject) {
	i := assemble(t, s, partsWithAGhost(newCluster("a", "b")))
	goOn, busy := make(chan struct{}), atomic.Bool{}
	r := i.add(t, handler(t, "x").doing(func(line string) {
		if about(line, "ghost") {
			busy.Store(true)
			<-goOn
		}
	}))
	run := i.run(t)
	defer run.cancel()
	time.Sleep(aMoment)
	synced := i.synced(r, "x")
	t.Require(!busy.Load() || !synced, "The first list is in the Indexer. The handler \"x\" is in an OnDelete that came before it, with two initial OnAdds pending, and its registration's HasSynced returned true: those have not returned.")
	close(goOn)
	t.Wait()
	t.Require(i.synced(r, "x"), "All initial OnAdds of the handler \"x\" have returned, and its registration's HasSynced returned false.")
	run.end()
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
	t.Require(i.hasSynced(), "The informer had synced, Run has returned, and the informer's HasSynced returned false: the end of Run does not change it.")
	t.Require(i.synced(r, "x"), "The HasSynced of a registration was true, Run has returned, and now it returned false: once it is true it stays true.")
}

// eachSyncsForItself has a handler in its first initial OnAdd while another one, which was added later, returns
// from all of its own.
func eachSyncsForItself(t *conform.T, s Subject) {
	i := informer(t, s, newCluster("a", "b"))
	goOn := make(chan struct{})
	slow := i.add(t, handler(t, "slow").doing(func(string) { <-goOn }))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	quick := i.add(t, handler(t, "quick"))
	t.Wait()
	quickly, slowly := i.synced(quick, "quick"), i.synced(slow, "slow")
	close(goOn)
	t.Require(quickly, "A handler was added during Run, all its initial OnAdds have returned, and its registration's HasSynced returned false.")
	t.Require(!slowly, "The handler \"slow\" is in its first initial OnAdd, those of another handler, which was added later, have returned, and the HasSynced of the registration of \"slow\" returned true.")
	run.end()
}

// endsBeforeTheList has ctx end before the first list has come.
func endsBeforeTheList(t *conform.T, s Subject) {
	c := newCluster("a")
	defer c.holdLists()()
	i := informer(t, s, c)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	run.end()
	t.Require(!i.hasSynced(), "Run has returned before the first list had come, and the informer's HasSynced returned true: no object of the first list is in the Indexer, and the end of Run does not change that.")
}

// updatesDoNotCount has a handler that has returned from all its initial OnAdds, and is in an
// OnUpdate that was pending with the last of them: that one comes while the handler is in the
// first. The OnAdd of an object that came later is pending, too. Nobody has asked before.
func updatesDoNotCount(t *conform.T, s Subject) {
	c := newCluster("a", "b")
	p := newParts(c)
	p.queue.dawdles = time.Second
	i := assemble(t, s, p)
	goOn := make(chan struct{})
	r := i.add(t, handler(t, "x").doing(func(string) { <-goOn }))
	run := i.run(t)
	defer run.cancel()
	time.Sleep(aMoment)
	c.put(t.Actor, "a")
	c.put(t.Actor, "b")
	c.put(t.Actor, "later")
	time.Sleep(2 * aMoment)
	goOn <- struct{}{}
	goOn <- struct{}{}
	t.Wait()
	synced := i.synced(r, "x")
	close(goOn)
	t.Require(synced, "Both initial OnAdds of the handler \"x\" have returned, and it is in an OnUpdate, with another one pending, and the OnAdd of an object that the first list did not have. Its registration's HasSynced returned false: nothing counts but OnAdds with isInInitialList true.")
	run.end()
}

// deletionsDoNotCount has a handler that is in an OnDelete whose last state is unknown.
func deletionsDoNotCount(t *conform.T, s Subject) {
	c := newCluster("a", "b")
	i := informer(t, s, c)
	goOn := make(chan struct{})
	r := i.add(t, handler(t, "x").doing(func(line string) {
		if strings.HasPrefix(line, "delete") {
			<-goOn
		}
	}))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	before := i.synced(r, "x")
	c.unseen(func() { c.delete(t.Actor, "a") })
	c.expire(t.Actor)
	t.Wait()
	during := i.synced(r, "x")
	close(goOn)
	t.Require(before, "All initial OnAdds of the handler \"x\" have returned, and its registration's HasSynced returned false.")
	t.Require(during, "The HasSynced of a registration was true. Then the handler was called for an object that is gone and whose final state is unknown, and while it was in that OnDelete, HasSynced returned false: once it is true it stays true.")
	run.end()
}

// askedOnTheNextLine adds a handler during Run, and asks its registration on the line after that.
func askedOnTheNextLine(t *conform.T, s Subject) {
	i := informer(t, s, newCluster("a", "b"))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	goOn := make(chan struct{})
	r, err := i.i.AddEventHandler(handler(t, "x").doing(func(string) { <-goOn }))
	early := err == nil && r.HasSynced()
	t.Note("AddEventHandler(x) during Run, and at once its registration's HasSynced(): %t", early)
	close(goOn)
	t.Require(err == nil, "AddEventHandler returned the error %q during Run.", err)
	t.Require(!early, "A handler was added during Run, with two objects in the Indexer, and on the next line its registration's HasSynced returned true: none of its initial OnAdds had returned.")
	t.Wait()
	t.Require(i.synced(r, "x"), "All initial OnAdds of the handler \"x\" have returned, and its registration's HasSynced returned false.")
	run.end()
}

// askedAllTheTime asks a registration again and again while its handler hears of the first list.
func askedAllTheTime(t *conform.T, s Subject) {
	const most = 5000
	c := newCluster()
	for n := range 20 {
		c.apply(fmt.Sprintf("p%d", n))
	}
	i := informer(t, s, c)
	r := i.add(t, handler(t, "x").doing(func(string) { runtime.Gosched() }))
	t.Go("waiting", func(a *conform.Actor) {
		call := a.Call("the registration's HasSynced(), again and again")
		for n := 0; n < most && !r.HasSynced(); n++ {
			runtime.Gosched()
		}
		call.Returned("")
	})
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	t.Require(i.synced(r, "x"), "All initial OnAdds of the handler \"x\" have returned, and its registration's HasSynced returned false.")
	run.end()
}

// restsWhenItIsLate has a handler that was added during Run panic in the first of three initial OnAdds.
func restsWhenItIsLate(t *conform.T, s Subject) {
	i := informer(t, s, newCluster("a", "b", "c"))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	calls := 0
	late := handler(t, "late").doing(func(line string) {
		if calls++; calls == 1 {
			panic("cannot digest " + line)
		}
	})
	i.add(t, late)
	time.Sleep(aMoment)
	at := late.times()
	t.Require(len(at) == 3, "A handler was added during Run, with three objects in the Indexer, panicked in its first call, and within 3s was called %s. 3 were due.", conform.Count(len(at), "time"))
	after := at[1] - at[0]
	t.Require(after >= time.Second, "A handler was added during Run, panicked in the first of three initial OnAdds, and was called %v after its panic. It is left alone for a second.", after)
	run.end()
}

// nobodyPanics removes one handler and stops another.
func nobodyPanics(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.OnPanic = func(value any) {
		p.a.Note("OnPanic(%v)", value)
		t.Errorf("OnPanic was called with %q, and no handler has panicked: it gets the value of a handler's panic.", fmt.Sprint(value))
	}
	i := assemble(t, s, p)
	r := i.add(t, handler(t, "x"))
	i.add(t, handler(t, "y"))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	i.removes(t, r, "x", "A handler was removed during Run")
	t.Wait()
	run.end()
}
