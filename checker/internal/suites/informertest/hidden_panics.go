package informertest

import (
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// clumsyOnce is a handler that panics in the OnAdd of a pod "boom", and is in the OnAdd of a pod "long" until goOn is closed.
func clumsyOnce(t *conform.T, name string, goOn <-chan struct{}) *recorder {
	return handler(t, name).doing(func(line string) {
		switch {
		case strings.HasPrefix(line, "add boom"):
			panic("cannot digest " + line)
		case about(line, "long"):
			<-goOn
		}
	})
}

// goesOnAfterAPanic follows two handlers, of which one was added during Run, beyond the pause after a panic. A resync is
// due in the pause and another one after it, and each handler is in a call when ctx ends.
func goesOnAfterAPanic(t *conform.T, s Subject) {
	c := newCluster("a")
	p := newParts(c)
	p.Resync = 2 * time.Second
	var told atomic.Int32
	p.OnPanic = func(value any) {
		told.Add(1)
		p.a.Note("OnPanic(%v)", value)
	}
	i := assemble(t, s, p)
	goOn := make(chan struct{})
	early, late := clumsyOnce(t, "early", goOn), clumsyOnce(t, "late", goOn)
	re := i.add(t, early)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	rl := i.add(t, late)
	time.Sleep(3 * time.Second / 2)
	c.put(t.Actor, "boom")
	time.Sleep(3500 * time.Millisecond)
	times := int(told.Load())
	t.Require(times == 2, "Two handlers panicked once each, one of which was added before Run and the other one during it, and OnPanic was called %s.", conform.Count(times, "time"))
	resynced := []string{"update a@1→a@1", "update boom@2→boom@2"}
	for _, h := range []*recorder{early, late} {
		h.hearsAnyOrder(t, "Each handler has a resync period of 2s, which is the check period, too. After 1.5s its OnAdd of boom panicked. Its resync was due at 2s, in the second after the panic, and at 4s: it hears of both objects twice, the first time when that second is over.",
			slices.Concat([]string{"add a@1 initial", "add boom@2"}, resynced, resynced)...)
	}
	goesOn(t, i, re, "early")
	goesOn(t, i, rl, "late")
	endsInACall(t, c, run, goOn)
	t.Require(probe.Closed(re.ShutdownChan()) && probe.Closed(rl.ShutdownChan()), "Run has returned, and the ShutdownChan of a handler that has panicked once is not closed. Every ShutdownChan is closed by then.")
}

// goesOn requires of a registration what does not change when its handler panics.
func goesOn(t *conform.T, i client, r kit.Registration, name string) {
	t.Require(!probe.Closed(r.ShutdownChan()), "The handler %q panicked 3.5s ago, was not removed, and goes on, and its ShutdownChan is closed. It is closed when the last call has returned.", name)
	t.Require(i.synced(r, name), "The handler %q panicked in the OnAdd of an object that the first list did not have, all its initial OnAdds had returned before that, and its registration's HasSynced returned false: once it is true it stays true.", name)
}

// endsInACall has ctx end while handlers that have panicked once are in a call.
func endsInACall(t *conform.T, c *cluster, run process, goOn chan struct{}) {
	c.put(t.Actor, "long")
	t.Wait()
	run.cancel()
	time.Sleep(time.Minute)
	early := probe.Closed(run.done)
	close(goOn)
	time.Sleep(time.Minute)
	t.Require(!early, "A handler panicked, and went on after the second in which it is left alone. It was in a call when Run's ctx was cancelled, and Run returned within a minute. It has to wait for that call.")
	t.Require(probe.Closed(run.done), "The ctx of Run was cancelled and every call has returned, and Run has not.")
}

// forgetsWhatAPanicLeft removes a handler with notifications pending, in a call that panics afterwards or in the second
// after the panic, and keeps its registration.
func forgetsWhatAPanicLeft(t *conform.T, s Subject, inTheCall bool) {
	const pinned, few = 100, 5
	f := &faucet{out: make(chan kit.Event[*kit.Pod])}
	i := assemble(t, s, newParts(f))
	at, release := make(chan int), make(chan struct{})
	r := i.add(t, &counter{stops: map[int]bool{1: true}, panics: map[int]bool{1: true}, at: at, release: release})
	run := i.run(t)
	defer run.cancel()
	<-at
	pods := f.fill(pinned)
	f.flood(1)
	t.Wait()
	when := "in the second after its panic"
	if inTheCall {
		when = "in a call that panicked then"
		i.removes(t, r, "handler", "A handler was removed during Run, while it was in a call")
		release <- struct{}{}
	} else {
		release <- struct{}{}
		t.Wait()
		i.removes(t, r, "handler", "A handler was removed in the second after its panic")
	}
	<-r.ShutdownChan()
	t.Wait()
	kept := probe.AliveAbove(pods[:pinned-5], few)
	t.Require(kept <= few, "A handler was removed %s, its ShutdownChan is closed, and %d of %d objects that were pending for it are still kept in memory. Only the registration is left of it, which does not refer to what was pending.", when, kept, pinned-5)
	run.end()
	runtime.KeepAlive(r)
}

// forgetsWhoPanicked has informers that go on, each without the only handler that it had, which has panicked.
func forgetsWhoPanicked(t *conform.T, open func() Subject) {
	const informers, few = 8, 2
	var left []weak.Pointer[counter]
	for range informers {
		i := assemble(t, open(), newParts(newCluster("a")).quiet())
		run := i.run(t)
		defer run.end()
		left = append(left, i.panicAndGo(t))
	}
	kept := probe.AliveAbove(left, few)
	t.Require(kept <= few, "Each of %d informers had one handler, which panicked in a call and was removed after that. Its ShutdownChan is closed, nobody has its registration any longer, and the informer goes on: %d of the handlers are still kept in memory. The informer itself keeps no reference to the handler then.", informers, kept)
}

// panicAndGo adds a handler that panics in its only call, and removes it. It is a function of its own so that no
// frame of the case holds one.
//
//go:noinline
func (c client) panicAndGo(t *conform.T) weak.Pointer[counter] {
	h := &counter{panics: map[int]bool{1: true}}
	r := c.add(t, h)
	time.Sleep(aMoment)
	c.removes(t, r, "handler", "A handler was removed during Run")
	<-r.ShutdownChan()
	return weak.Make(h)
}
