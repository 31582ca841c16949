package informertest

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// leaving is the part of the suite about handlers that are removed.
var leaving = []conform.Case[Subject]{
	{
		Name:   "remove-stuck-handler",
		Points: 4,
		Func:   "SharedInformer.RemoveEventHandler",
		Look:   []string{"SharedInformer.RemoveEventHandler", "the goroutine that calls the handler"},
		Rule:   "RemoveEventHandler does not wait for a call that is under way, and drops what is pending. The ShutdownChan is closed when the last call has returned.",
		Why:    "The goroutine that removes a handler may hold a lock that the handler waits for. And code that releases what the handler uses has to know when it may.",
		Hint: []string{
			"Which goroutine knows that the last call has returned? Let it close the ShutdownChan when it ends.",
			"The goroutine has a thousand pending notifications. When does it find out that it should stop?",
			"Check before each call whether a channel is closed that says so.",
		},
		Source: "kubernetes#139755, nobody could await a removed handler; client-go tools/cache/shared_informer.go: ShutDownEventHandler",
		Contract: []string{
			"It does not wait for the handler: a call that is under way goes on.",
			"one more call may begin",
			"When the last call has returned, the ShutdownChan of the registration is closed",
			"its pending notifications are dropped",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 100
			c := newCluster("a")
			i := informer(t, open(), c)
			release := make(chan struct{})
			stuck := handler(t, "stuck").doing(func(string) { <-release })
			other := handler(t, "other")
			r := i.add(t, stuck)
			i.add(t, other)
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			for range n {
				c.apply("a")
			}
			t.Wait()
			release <- struct{}{} // now it is stuck in its second call, with all others before it
			t.Wait()
			for range n {
				c.apply("a")
			}
			t.Wait()
			asked := t.Elapsed()
			i.removes(t, r, "stuck", "A handler was removed during Run, while it was in a call")
			took := t.Elapsed() - asked
			t.Require(took < aBlink, "A handler was removed while it was in a call, and RemoveEventHandler returned %v later. It does not wait for the handler.", took)
			t.Wait()
			t.Require(!probe.Closed(r.ShutdownChan()), "A handler was removed while it was in a call, and its ShutdownChan was closed before that call had returned.")
			c.put(t.Actor, "b")
			close(release)
			time.Sleep(time.Minute)
			t.Require(probe.Closed(r.ShutdownChan()), "A handler was removed and its last call has returned, and its ShutdownChan is not closed.")
			calls := len(stuck.take())
			t.Require(calls <= 3, "A handler was in its second call when it was removed, with 199 pending, and was called %d times more. At most one more call was due.", calls-2)
			heard := other.take()
			t.Require(len(heard) > 0, "The handler \"other\" was called 0 times; 202 calls were due.")
			t.Require(heard[len(heard)-1] == "add b@202", "After another handler had been removed b@202 was added, and the last call of the handler \"other\" was %q.", heard[len(heard)-1])
			run.end()
			leavesAtOnce(t, open)
		},
	},
	{
		Name:   "remove-in-the-pause",
		Points: 2,
		Func:   "SharedInformer.RemoveEventHandler",
		Look:   []string{"SharedInformer.RemoveEventHandler", "the pause after a panic of a handler"},
		Rule:   "During the second after a panic the handler can be removed, and Run can end, without waiting for the rest of that second. It counts from the panic, and delays nothing that comes later.",
		Why:    "A process that must end has a grace period, and handlers that sleep use it up.",
		Hint: []string{
			"Nothing can interrupt time.Sleep. What waits for a time and for something else as well?",
			"When does your pause begin: with the panic, or when the next notification comes? Wait first, then look into the buffer.",
		},
		Source: "the contract of this lab: nothing is left of a removed handler when its last call has returned",
		Contract: []string{
			"If the handler is removed in that second, or Run ends, nothing waits for the rest of it, and no call follows.",
			"When the last call has returned, the ShutdownChan of the registration is closed",
			"OnPanic gets the value of a handler's panic, on the goroutine of that call. It is a part of the call that panicked",
			"makes the next pending one a second after the panic, and none before; a notification that comes after that second is not delayed.",
			"A handler that is in no call, and not in the pause after a panic, is called at once.",
			"waits until Reflect has returned and the last Pop has ended. Only after that it stops the handlers",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b")
			i := informer(t, open(), c)
			x := handler(t, "x").doing(func(string) { panic("always") })
			y := handler(t, "y").doing(func(string) { panic("always") })
			r := i.add(t, x)
			i.add(t, y)
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			i.removes(t, r, "x", "A handler was removed in the second after its panic")
			time.Sleep(time.Second / 4)
			t.Require(probe.Closed(r.ShutdownChan()), "A handler was removed in the second after its panic, when no call of it was under way, and 250ms later its ShutdownChan is not closed.")
			ended := t.Elapsed()
			run.end()
			took := t.Elapsed() - ended
			for _, h := range []*recorder{x, y} {
				calls := len(h.take())
				t.Require(calls == 1, "The handler %q panicked in its first call, and was called %s, though the next pending call is made a second after the panic and none before. 250ms after it %[1]q had been removed, or Run's ctx was done.", h.name, conform.Count(calls, "time"))
			}
			t.Require(took < time.Second/4, "Run's ctx was cancelled 250ms after a handler's panic, and Run returned %v later: it waited for the rest of the second for which the handler is left alone.", took)
			goesOnUntilTheLastPop(t, open())
			leavesInThePause(t, open())
			leavesBeforeThePause(t, open)
			countsFromThePanic(t, open())
		},
	},
}

// leavesInThePause has two handlers that were added during Run panic in the first of three calls that came at once.
// One is removed in the second after that, and then Run ends.
func leavesInThePause(t *conform.T, s Subject) {
	i := informer(t, s, newCluster("a", "b", "c"))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	x := handler(t, "x").doing(func(string) { panic("always") })
	y := handler(t, "y").doing(func(string) { panic("always") })
	r := i.add(t, x)
	i.add(t, y)
	t.Wait()
	i.removes(t, r, "x", "A handler was removed in the second after its panic")
	t.Wait()
	run.end()
	for _, h := range []*recorder{x, y} {
		calls := len(h.take())
		t.Require(calls == 1, "The handler %q was added during Run, panicked in the first of three initial OnAdds, and was called %s, though in the second after that \"x\" was removed and then Run's ctx was done. The next pending call is made a second after the panic, and none before.", h.name, conform.Count(calls, "time"))
	}
}

// leavesBeforeThePause has a handler removed, and ctx end, in a call that panics afterwards, and in the OnPanic of one that
// has panicked. Nothing else is pending.
func leavesBeforeThePause(t *conform.T, open func() Subject) {
	for _, when := range []string{"in a call that panicked", "in the OnPanic of a call"} {
		removedBeforeThePause(t, open(), when)
		endsBeforeThePause(t, open(), when)
	}
}

func removedBeforeThePause(t *conform.T, s Subject, when string) {
	i, goOn := panicsOnDemand(t, s, when)
	r := i.add(t, goOn.handler)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	i.removes(t, r, "x", "A handler was removed "+when)
	close(goOn.now)
	time.Sleep(time.Second / 4)
	t.Require(probe.Closed(r.ShutdownChan()), "A handler was removed %s, nothing else was pending, and 250ms after that call had ended its ShutdownChan is not closed. Nothing waits for the rest of the second for which the handler is left alone.", when)
	run.end()
}

func endsBeforeThePause(t *conform.T, s Subject, when string) {
	i, goOn := panicsOnDemand(t, s, when)
	i.add(t, goOn.handler)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	run.cancel()
	t.Wait()
	close(goOn.now)
	time.Sleep(time.Second / 4)
	t.Require(probe.Closed(run.done), "Run's ctx was cancelled while a handler was %s, nothing else was pending, and 250ms after that call had ended Run has not returned. Nothing waits for the rest of the second for which the handler is left alone.", when)
}

// demand is a handler that panics in each call, and what keeps it in the call, or in the OnPanic.
type demand struct {
	handler *recorder
	now     chan struct{}
}

func panicsOnDemand(t *conform.T, s Subject, when string) (client, demand) {
	now := make(chan struct{})
	late := strings.Contains(when, "OnPanic")
	p := newParts(newCluster("a"))
	p.OnPanic = func(value any) {
		defer p.a.Callback("OnPanic(%v)", value).Returned("")
		if late {
			<-now
		}
	}
	x := handler(t, "x").doing(func(string) {
		if !late {
			<-now
		}
		panic("on demand")
	})
	return assemble(t, s, p), demand{x, now}
}

// aBlink is what a call may take that waits for nobody.
const aBlink = 10 * time.Millisecond

// countsFromThePanic has a handler panic in the only call that is pending. The next change comes half a second
// after the panic, and another one five seconds after the second panic.
func countsFromThePanic(t *conform.T, s Subject) {
	c := newCluster("a")
	i := informer(t, s, c)
	x := handler(t, "x").doing(func(line string) { panic("cannot digest " + line) })
	i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	began := t.Elapsed()
	time.Sleep(time.Second / 2)
	c.put(t.Actor, "b")
	time.Sleep(5*time.Second + time.Second/2)
	c.put(t.Actor, "c")
	time.Sleep(aMoment)
	at := x.times()
	x.hears(t, "A handler panicked in each of its calls, with nothing else pending.", "add a@1 initial", "add b@2", "add c@3")
	t.OnTime("The handler heard \"add b@2\"", at[1], began+time.Second, "b was added half a second after a panic, and the handler is left alone for exactly a second after that panic, which ended")
	t.OnTime("The handler heard \"add c@3\"", at[2], began+6*time.Second, "c was added five seconds after a panic, and a notification that comes after the second is not delayed. It came")
	run.end()
}

// goesOnUntilTheLastPop has ctx end in the second after a panic, and a Reflect that takes half a
// second to return.
func goesOnUntilTheLastPop(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.linger = time.Second / 2
	i := assemble(t, s, p)
	r := i.add(t, handler(t, "x").doing(func(string) { panic("always") }))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	run.cancel()
	time.Sleep(time.Second / 4)
	early := probe.Closed(r.ShutdownChan())
	time.Sleep(time.Second / 2)
	t.Require(!early, "Run's ctx was cancelled in the second after a handler's panic, Reflect takes 500ms to return, and within 250ms the handler's ShutdownChan was closed: handlers are stopped after Reflect has returned and the last Pop has ended.")
	t.Require(probe.Closed(run.done), "Run's ctx was cancelled in the second after a handler's panic, Reflect returned 500ms later, and 250ms after that Run has not: it waits for the rest of the second for which the handler is left alone.")
}

// leavesAtOnce removes a handler that was added during Run, in one of the first of many initial OnAdds, which a buffer may
// have handed out together. A goroutine that drops the pending ones when RemoveEventHandler has returned is often quick
// enough, so there are several rounds.
func leavesAtOnce(t *conform.T, open func() Subject) {
	for range 6 {
		for during := range 8 {
			leavesInCall(t, open(), during+1)
		}
	}
}

func leavesInCall(t *conform.T, s Subject, during int) {
	const n = 20
	c := newCluster()
	for k := range n {
		c.apply(fmt.Sprintf("p%d", k))
	}
	i := informer(t, s, c)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	release := make(chan struct{})
	calls := 0
	late := handler(t, "late").doing(func(string) {
		if calls++; calls == during {
			<-release
		}
	})
	r := i.add(t, late)
	t.Wait()
	i.removes(t, r, "late", "A handler was removed during Run, while it was in a call")
	close(release)
	time.Sleep(time.Minute)
	t.Require(probe.Closed(r.ShutdownChan()), "A handler was removed and its last call has returned, and its ShutdownChan is not closed.")
	called := len(late.take())
	t.Require(called >= during, "A handler was added during Run, with %d objects in the Indexer, and was called %s before it was removed. %d were due.", n, conform.Count(called, "time"), during)
	t.Require(called <= during+1, "A handler was in initial OnAdd %d when it was removed, with %d pending, and was called %d times more. At most one more call was due.", during, n-during, called-during)
	run.end()
}
