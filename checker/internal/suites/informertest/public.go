package informertest

import (
	"runtime"
	"strconv"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "every-handler-hears-everything",
		Points: 5,
		Func:   "SharedInformer.Run",
		Rule:   "Every handler hears every addition, update and deletion exactly once, in order. Objects of the first list are marked.",
		Why:    "This is the purpose of an informer: ten controllers share one watch, and each works as if it had its own.",
		Hint: []string{
			"Pop gives you the deltas of one object. What do you compare them with to know what has happened?",
			"Ask the Indexer: if it has the object, this is an update, and otherwise an addition, whatever the delta is called.",
			"Run the Pop loop on a goroutine of its own, because Reflect blocks until ctx is done.",
		},
		Source: "client-go tools/cache/shared_informer.go: handleDeltas; client-go tools/cache/controller.go: processDeltas",
		Contract: []string{
			"hears everything exactly once, in the order in which the Indexer changed",
			"The name of a delta does not decide what a handler hears: the Indexer does.",
			"isInInitialList is the value that the Queue passes",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b")
			i := informer(t, open(), c)
			x, y := handler(t, "x"), handler(t, "y")
			i.add(t, x)
			i.add(t, y)
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			for _, h := range []*recorder{x, y} {
				h.hearsAnyOrder(t, "The first list brought a@1 and b@2: a handler that was added before Run hears of each once, marked as initial.",
					"add a@1 initial", "add b@2 initial")
			}
			for _, name := range []string{"a", "c", "a", "/node", "/node"} {
				c.put(t.Actor, name)
				t.Wait()
			}
			c.delete(t.Actor, "b")
			t.Wait()
			for _, h := range []*recorder{x, y} {
				h.hears(t, "Six changes came after the first list, two of them of an object without a namespace: every handler hears of each once, in order.",
					"update a@1→a@3", "add c@4", "update a@3→a@5", "add /node@6", "update /node@6→/node@7", "delete b@8")
			}
			i.holds(t, "Everything that has happened in the cluster came out of the Queue", "/node@7", "a@5", "c@4")
			run.end()
		},
	},
	{
		Name:   "store-before-notification",
		Points: 5,
		Func:   "SharedInformer.Run",
		Rule:   "The Indexer changes before any handler hears of it.",
		Why:    "A handler puts a key into a queue and a worker looks the key up. If the cache is behind, the worker sees the past, and nobody wakes it again.",
		Hint: []string{
			"In which order do you write to the Indexer and notify the handlers?",
			"Get the old object first, then update the Indexer, then notify the handlers, after the write has returned.",
		},
		Source: "client-go tools/cache/controller.go: processDeltas",
		Contract: []string{
			"The Indexer changes before any handler hears of it.",
		},
		Public: true,
		Check:  storeBeforeNotification,
	},
	{
		Name:   "stuck-handler-delays-nobody",
		Long:   true,
		Points: 6,
		Func:   "SharedInformer.AddEventHandler",
		Look:   []string{"the buffer between SharedInformer.Run and a handler"},
		Rule:   "A slow or stuck handler delays neither the cache nor other handlers, and loses nothing: it hears everything in order later.",
		Why:    "All controllers of a process share the informer. One handler that waits for a slow cloud would stop all of them.",
		Hint: []string{
			"Which goroutine calls the handler? If it is the one that pops, everybody waits for the slowest handler.",
			"Give each handler a goroutine and a buffer of its own. What happens when the buffer is full?",
			"The buffer has to grow. A slice under a lock will do, and a channel with room for one as the bell. Never hold that lock while you call the handler.",
		},
		Source: "client-go tools/cache/shared_informer.go: processorListener.pop, processorListener.pendingNotifications; kubernetes#26980",
		Contract: []string{
			"Handlers do not wait for each other, and neither the Indexer nor the Queue waits for a handler",
			"pending in a buffer of its own, however many they are",
			"It does not wait for handlers",
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			const n = 2_100
			c := newCluster("a")
			i := informer(t, open(), c)
			want := []string{"add a@1 initial", "update a@1→a@2", "add b@3", "delete b@4", "add b@5", "update b@5→b@6", "update a@2→a@7"}
			for v := range n - 1 {
				want = append(want, "update "+at("a", v+7)+"→"+at("a", v+8))
			}
			inCall, release := make(chan struct{}), make(chan struct{})
			stuck := handler(t, "stuck").doing(func(line string) {
				if line == want[0] {
					close(inCall)
					<-release
				}
			})
			quick := handler(t, "quick")
			i.add(t, stuck)
			i.add(t, quick)
			run := i.run(t)
			defer run.cancel()
			<-inCall
			t.Note("a handler is stuck in its first call")
			c.put(t.Actor, "a")
			t.Wait()
			c.put(t.Actor, "b")
			c.delete(t.Actor, "b")
			c.put(t.Actor, "b")
			c.put(t.Actor, "b")
			t.Wait()
			for range n {
				c.apply("a")
			}
			t.Note("in the cluster: a was modified %s", conform.Count(n, "time"))
			t.Wait()
			const meanwhile = "Meanwhile a was modified, b was added, deleted, added again and modified, and a was modified 2100 times"
			quick.hears(t, "Another handler is stuck in its first call. "+meanwhile+".", want...)
			i.holds(t, "A handler is stuck in its first call. "+meanwhile, at("a", n+6), "b@6")
			t.Require(i.hasSynced(), "The first list is in the Indexer, a handler is stuck in its first call, and the informer's HasSynced returned false: it does not wait for handlers.")
			close(release)
			t.Wait()
			stuck.hears(t, "A handler was stuck in its first call, and then went on. "+meanwhile+": it hears of all of that, one by one.", want...)
			run.end()
			manyAreStuck(t, open())
			muchIsPending(t, open())
		},
	},
	{
		Name:   "late-handler",
		Points: 4,
		Func:   "SharedInformer.AddEventHandler",
		Look:   []string{"SharedInformer.AddEventHandlerWithResyncPeriod"},
		Rule:   "A handler that is added during Run hears one initial OnAdd for every stored object, and then every change.",
		Why:    "A controller that starts an hour after the first still has to hear of every existing object.",
		Hint: []string{
			"The list was an hour ago. Where do you find the objects that the new handler has not heard of?",
			"Add a notification for everything in GetIndexer().List() to the new handler's buffer, and to nobody else's.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.AddEventHandlerWithOptions",
		Contract: []string{
			"it hears OnAdd with isInInitialList true once for each object that is in the Indexer at one moment during the call, and of every change after that moment",
			"hears everything exactly once",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b", "bare")
			c.pods["bare"].ResourceVersion = "" // as in some fakes
			i := informer(t, open(), c)
			early := handler(t, "early")
			i.add(t, early)
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			c.put(t.Actor, "b")
			c.put(t.Actor, "c")
			c.put(t.Actor, "elsewhere/c")
			t.Wait()
			early.take()
			late := handler(t, "late")
			i.add(t, late)
			t.Wait()
			late.hearsAnyOrder(t, "A handler was added during Run: it hears of each stored object once, as it is now, marked as initial. (Two are called c, in different namespaces, and bare has no resource version.)",
				"add a@1 initial", "add b@4 initial", "add bare@ initial", "add c@5 initial", "add elsewhere/c@6 initial")
			early.hears(t, "Another handler was added during Run, and this one had heard of everything before.")
			c.put(t.Actor, "a")
			t.Wait()
			late.hears(t, "A handler was added during Run, and later a was modified.", "update a@1→a@7")
			early.hears(t, "Another handler was added during Run, and later a was modified.", "update a@1→a@7")
			run.end()
		},
	},
	{
		Name:   "remove-handler",
		Points: 5,
		Func:   "SharedInformer.RemoveEventHandler",
		Rule:   "A removed handler hears of no later change, its ShutdownChan is closed, and other handlers do not notice. It can be removed before Run, during it, afterwards, and twice.",
		Why:    "Otherwise a controller that is switched off would hear of everything for as long as the process runs, and stay in memory.",
		Hint: []string{
			"What has to forget the handler, and which goroutine has to end?",
			"What happens when two removals close one channel? Check first whether the handler is still there.",
			"Before Run there is no goroutine that could close the ShutdownChan.",
		},
		Source: "client-go#1167, kubernetes#111122",
		Contract: []string{
			"The handler hears of no later change, and its pending notifications are dropped",
			"If a handler is removed before Run, both hold when RemoveEventHandler returns: its ShutdownChan is closed, and only the registration is left.",
			"Removing a handler twice, or after the informer has stopped, does nothing and is no error. Removing something that is no registration of this informer does nothing",
			"A handler that is added twice has two registrations, and each of them hears everything.",
			"ShutdownChan is closed when the handler will not be called any longer: after its removal or the informer's end, when its last call has returned.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a")
			i := informer(t, open(), c)
			x, y, z := handler(t, "x"), handler(t, "y"), handler(t, "z")
			rx, ry, rz := i.add(t, x), i.add(t, y), i.add(t, z)
			i.removes(t, rz, "z", "A handler was removed before Run")
			t.Require(probe.Closed(rz.ShutdownChan()), "A handler was removed before Run, and its ShutdownChan is not closed.")
			i.removes(t, rz, "z", "A handler was removed a second time")
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			x.hears(t, "The first list brought a@1.", "add a@1 initial")
			z.hears(t, "A handler was removed before Run, and is never called.")
			t.Require(!probe.Closed(rx.ShutdownChan()), "The ShutdownChan of a handler is closed while it is still called.")
			i.removes(t, rx, "x", "A handler was removed during Run")
			i.removes(t, rx, "x", "A handler was removed a second time")
			t.Wait()
			t.Require(probe.Closed(rx.ShutdownChan()), "A handler was removed while it had nothing to do, and its ShutdownChan was not closed.")
			c.put(t.Actor, "a")
			t.Wait()
			x.hears(t, "A handler was removed, and after that a was modified.")
			y.hears(t, "Another handler was removed, and after that a was modified.", "add a@1 initial", "update a@1→a@2")
			run.end()
			t.Require(probe.Closed(ry.ShutdownChan()), "Run has returned, and the ShutdownChan of a handler is not closed.")
			i.removes(t, ry, "y", "A handler was removed after the informer had stopped")
			removesAStranger(t, open())
			removesOneOfThree(t, open())
		},
	},
	{
		Name:   "one-informer-per-type",
		Points: 4,
		Func:   "InformerFor",
		Rule:   "A factory makes one informer for each type, with its resync period, and returns the same one to every caller.",
		Why:    "If twenty controllers each list and watch all pods, that is twenty times the load and the memory.",
		Hint: []string{
			"What is the key of a map by type, without reflection?",
			"any((*T)(nil)) is a value that can be compared, and two of them are equal if the types are.",
			"Look up and create under one lock, or two callers create two informers.",
		},
		Source: "client-go informers/factory.go: InformerFor",
		Contract: []string{
			"Of many calls for one type at the same time only one makes an informer, and all return that one.",
			"calls newInformer with the default resync period, as it is",
		},
		Public: true,
		Mode:   conform.Copies,
		Check:  oneInformerPerType,
	},
}

// manyAreStuck has many handlers whose first call does not return.
func manyAreStuck(t *conform.T, s Subject) {
	const handlers = 150
	i := informer(t, s, newCluster("a"))
	first, release := make(chan struct{}), make(chan struct{})
	var called atomic.Int32
	call := t.Call("AddEventHandler, for each of %d handlers whose first call does not return", handlers)
	for range handlers {
		i.addUnseen(t, kit.ResourceEventHandlerFuncs[*kit.Pod]{AddFunc: func(*kit.Pod, bool) {
			if called.Add(1) == 1 {
				close(first)
			}
			<-release
		}}, "before Run")
	}
	call.Returned("")
	run := i.run(t)
	defer run.cancel()
	<-first
	t.Wait()
	stuck := int(called.Load())
	close(release)
	t.Require(stuck == handlers, "%d handlers were added, the first call of each does not return, and while %d of them were stuck the other %d were not called. Handlers do not wait for each other.", handlers, stuck, handlers-stuck)
	run.end()
}

// muchIsPending has one Pop bring very many updates while a handler is stuck in its first call. A subject with parts of its
// own has no such Pop.
func muchIsPending(t *conform.T, s Subject) {
	const n = 11_000
	p := newParts(newCluster("a")).quiet()
	i := assemble(t, s, p)
	inCall, release := make(chan struct{}), make(chan struct{})
	var heard atomic.Int32
	i.addUnseen(t, kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(*kit.Pod, bool) {
			close(inCall)
			<-release
		},
		UpdateFunc: func(_, _ *kit.Pod) { heard.Add(1) },
	}, "before Run")
	run := i.run(t)
	defer run.cancel()
	<-inCall
	if _, stored := p.cache.GetByKey(key("a")); stored {
		t.Note("a handler is stuck in its first call, and one Pop brings %d updates of a", n)
		p.queue.inject(updatesOf("a", n)...)
		t.Wait()
		last, _ := p.cache.GetByKey(key("a"))
		close(release)
		t.Require(show(last) == "a@other", "A handler is stuck in its first call, the Queue passed %d updates of a, the last of which brings a@other, and the Indexer holds %s. Neither the Indexer nor the Queue waits for a handler.", n, show(last))
		t.Wait()
		got := heard.Load()
		t.Require(got == n, "A handler was stuck in its first call while a was modified %d times, and then it heard of %d of these updates. What it has not got to yet is pending, however many they are.", n, got)
	} else {
		close(release)
	}
	run.end()
}

// updatesOf is n updates of an object, between two versions, of which none is older than the other.
func updatesOf(name string, n int) kit.Deltas[*kit.Pod] {
	one, other := pod(name, 2), pod(name, 3)
	one.ResourceVersion, other.ResourceVersion = "one", "other"
	deltas := make(kit.Deltas[*kit.Pod], n)
	for k := range deltas {
		deltas[k] = kit.Delta[*kit.Pod]{Type: kit.DeltaUpdated, Object: one}
		if k%2 == 1 {
			deltas[k].Object = other
		}
	}
	return deltas
}

// at is how a pod of that version is shown.
func at(name string, version int) string { return name + "@" + strconv.Itoa(version) }

// storeBeforeNotification runs outside a bubble: a subject may wait for a lock that is held
// during a write, and in a bubble no time passes meanwhile.
func storeBeforeNotification(t *conform.T, open func() Subject) {
	c := newCluster("a")
	p := newParts(c)
	var calls atomic.Int32
	p.cache.ahead = func() {
		before := calls.Load()
		for n := 0; n < 2000 && calls.Load() == before; n++ {
			runtime.Gosched() // a handler that hears too early has time to look
		}
	}
	i := assemble(t, open(), p)
	stale, heard := make(chan string, 10), make(chan struct{}, 10)
	h := handler(t, "x")
	a := h.a
	i.add(t, h.doing(func(line string) {
		stored, exists := i.i.GetIndexer().GetByKey(key("a"))
		calls.Add(1)
		now := "nothing"
		if exists {
			now = show(stored)
		}
		want := map[string]string{"add a@1 initial": "a@1", "update a@1→a@2": "a@2", "delete a@3": "nothing"}[line]
		if now != want {
			a.Breaks("The handler hears %q, and the Indexer holds %s.", line, now)
			stale <- line + ", while the Indexer held " + now
		}
		heard <- struct{}{}
	}))
	run := i.run(t)
	defer run.cancel()
	<-heard
	c.put(t.Actor, "a")
	<-heard
	c.delete(t.Actor, "a")
	<-heard
	run.end()
	if len(stale) > 0 {
		t.Fatalf("A handler heard of a change that the Indexer did not hold yet: %s.", <-stale)
	}
}

// foreign is a registration that no informer has made.
type foreign struct{}

func (foreign) HasSynced() bool               { return false }
func (foreign) ShutdownChan() <-chan struct{} { return nil }

// removesAStranger has an informer remove a handler of another informer, before Run and during it,
// and what AddEventHandler returns with an error.
func removesAStranger(t *conform.T, s Subject) {
	c := newCluster("a")
	i, other := informer(t, s, c), informer(t, s, c)
	x, y := handler(t, "x"), handler(t, "y")
	i.add(t, x)
	ry := other.add(t, y)
	_ = i.remove(ry, "y, a handler of the other informer")
	t.Require(!probe.Closed(ry.ShutdownChan()), "An informer was to remove the handler of another one, which does nothing, and the handler's ShutdownChan is closed.")
	_ = i.remove(nil, "nil")
	_ = i.remove(foreign{}, "a registration of another kind")
	run, otherRun := i.run(t), other.run(t)
	defer run.cancel()
	defer otherRun.cancel()
	t.Wait()
	_ = i.remove(ry, "y, a handler of the other informer")
	t.Wait()
	c.put(t.Actor, "a")
	t.Wait()
	for _, h := range []*recorder{x, y} {
		h.hears(t, "An informer, whose only handler is x, was to remove y, the only handler of another informer. That does nothing. Then a was modified.", "add a@1 initial", "update a@1→a@2")
	}
	run.end()
	otherRun.end()
}

// removesOneOfThree adds a handler three times, and removes one of its registrations before Run and
// another one during it.
func removesOneOfThree(t *conform.T, s Subject) {
	c := newCluster("a")
	i := informer(t, s, c)
	x := handler(t, "x")
	first, second, third := i.add(t, x), i.add(t, x), i.add(t, x)
	closed := func(r kit.Registration) bool { return probe.Closed(r.ShutdownChan()) }
	const before = "A handler was added three times, which makes three registrations, and the second of them was removed before Run"
	i.removes(t, second, "x, its second registration", before)
	t.Require(closed(second), before+". The ShutdownChan of the second is not closed.")
	t.Require(!closed(first) && !closed(third), before+". The ShutdownChan of another one of them is closed.")
	y := handler(t, "y")
	ry := i.add(t, y)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	x.hears(t, before+". Each of the other two hears everything.", "add a@1 initial", "add a@1 initial")
	const during = before + ", and the third during Run"
	i.removes(t, third, "x, its third registration", during)
	t.Wait()
	t.Require(closed(third), during+". The ShutdownChan of the third is not closed.")
	t.Require(!closed(first) && !closed(ry), during+". The ShutdownChan of the first, or that of the handler \"y\", is closed.")
	z := handler(t, "z")
	rz := i.add(t, z)
	c.put(t.Actor, "a")
	t.Wait()
	x.hears(t, during+". The first still hears everything.", "update a@1→a@2")
	y.hears(t, before+", after which this handler was added.", "add a@1 initial", "update a@1→a@2")
	z.hears(t, during+", after which this handler was added.", "add a@1 initial", "update a@1→a@2")
	run.end()
	t.Require(closed(first) && closed(ry) && closed(rz), during+". Two handlers were added after that, Run has returned, and not every ShutdownChan is closed.")
}
