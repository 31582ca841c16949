package informertest

import (
	"context"
	"fmt"
	"runtime"
	"time"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// remembering is the part of the suite about memory. Its case runs once, outside a
// bubble, in a process of its own: it looks at the whole heap.
var remembering = []conform.Case[Subject]{
	{
		Name:   "gives-memory-back",
		Points: 4,
		Func:   "SharedInformer.AddEventHandler",
		Look:   []string{"the buffer between SharedInformer.Run and a handler", "SharedInformer.RemoveEventHandler"},
		Rule:   "The buffer keeps no object that its handler has heard of, and after a burst it is small again.",
		Why:    "A relist of a hundred thousand pods fills the buffer of every handler once. Without this, the buffers keep that size, and old pods, for as long as the process runs.",
		Hint: []string{
			"What does a slot of your buffer contain after you have taken its notification?",
			"Set the slot to its zero value. A slice q[1:] still has q[0] in its array.",
			"Does your buffer ever become smaller? When nothing is pending, you can simply drop a large one.",
		},
		Source: "kubernetes#104991; utils buffer/ring_growing.go: RingGrowing, Ring (RingGrowing never shrinks, Ring does)",
		Contract: []string{
			"When a call, and the pause after it if there is one, is over, the buffer no longer refers to the objects of that call, whether other notifications are pending or not.",
			"When nothing is pending and the handler is in no call and no pause, the buffer, with all its parts, has room for no more than 1024 notifications, both when the handler is new and after a burst. (All slices of it count together, each by its capacity.)",
			"Before Run the informer has no goroutine: neither New nor AddEventHandler starts one.",
			"only the registration is left: it may still refer to the handler, but not to what was pending",
			"The informer itself keeps no reference to the handler then.",
			"If a handler is removed before Run, both hold when RemoveEventHandler returns: its ShutdownChan is closed, and only the registration is left.",
		},
		Alone: true,
		Check: givesMemoryBack,
	},
}

func givesMemoryBack(t *conform.T, open func() Subject) {
	const handlers, first, pinned, burst = 16, 1500, 100, 3000
	const second = 1 + first + 1 // the call in which each handler is when the second burst comes
	f := &faucet{out: make(chan kit.Event[*kit.Pod])}
	i := assemble(t, open(), newParts(f))
	at, release := make(chan int), make(chan struct{})
	for range handlers {
		i.add(t, &counter{stops: map[int]bool{1: true, second: true, second - 1 + pinned: true}, last: second + pinned + burst, at: at, release: release})
	}
	run := i.run(t)
	defer run.cancel()
	all(at, handlers) // every handler is in its first call
	before := probe.Heap()
	f.flood(first)
	t.Wait()
	resume(release, handlers)
	t.Wait() // every handler has heard of the first burst
	f.flood(1)
	all(at, handlers)
	pods := f.fill(pinned)
	f.flood(burst)
	t.Wait()
	full := probe.Heap() - before
	t.Note("after a burst of %d updates, which each of %d handlers has heard, %d more are pending", first, handlers, pinned+burst)
	resume(release, handlers)
	all(at, handlers) // every handler has heard of most of the pinned
	t.Wait()          // and the deltas that the queue has handed out, the pinned perhaps among them, are distributed
	alive := probe.Alive(pods[:pinned-5])
	t.Require(alive == 0, "All handlers have heard of %d objects, none of which is in the Indexer any longer, and %d are still kept in memory, while %d notifications of other objects are pending for each handler.", pinned-5, alive, burst)
	resume(release, handlers)
	all(at, handlers) // every handler is in the last call
	resume(release, handlers)
	t.Wait()
	t.Note("every handler has heard everything")
	isSmallAgain(t, before, full, fmt.Sprintf("All %d handlers have heard everything of two bursts, of %d and %d updates", handlers, first, pinned+burst))
	run.end()
	keepsNothing(t, open)
}

// keepsNothing looks at buffers in which little is pending, or nothing.
func keepsNothing(t *conform.T, open func() Subject) {
	enough := mostRoom(t, open())
	hasLittleRoom(t, open(), enough)
	keepsOneHalf(t, open(), enough)
	endsSmallWhenLate(t, open(), false)
	for range 4 { // a buffer may look for the removal and for what was added, in either order
		forgetsARemovedHandler(t, open())
	}
	forgetsTheLast(t, open())
	forgetsAList(t, open())
	t.Virtual(func(t *conform.T) {
		forgetsHandlers(t, open())
		forgetsWhatPanicked(t, open())
		forgetsTheLastOfSome(t, open())
		forgetsWhileItSlides(t, open())
		forgetsWithinAPop(t, open())
		endsSmallWhenLate(t, open(), true)
		forgetsWhatAPanicLeft(t, open(), true)
		forgetsWhatAPanicLeft(t, open(), false)
		forgetsWhoPanicked(t, open)
	})
}

// isSmallAgain requires that most of what the heap had grown by is free. Of 3100 places in each buffer
// 1024 may be left, a third. The second MiB is for a buffer that needs little for each: sixteen with 1024 places
// of 24 bytes are 0.4 MiB, and the history of the case comes to about as much.
func isSmallAgain(t *conform.T, before, full int64, when string) {
	enough := max(full/3*2, 1<<20)
	grown := probe.Growth(before, enough)
	t.Require(grown < enough, "%s, and the heap is still %.1f MiB larger than before them. When all of the second were pending it was %.1f MiB, and a buffer in which nothing is pending has room for 1024 of them at most, a third.", when, mib(grown), mib(full))
}

// mostRoom measures what many pending notifications take, each in a buffer that is new, and returns how many bytes the buffers of
// as many handlers may take when nothing is pending. Nothing is written down, here and in the next two, which would weigh as much.
func mostRoom(t *conform.T, s Subject) int64 {
	const many = 3000
	const least = roomy * 1024 * 32 // so little may be something else
	p := newParts(&faucet{out: make(chan kit.Event[*kit.Pod])}).quiet()
	i := assemble(t, s, p)
	at, release := make(chan int), make(chan struct{})
	before := leastHeap(t)
	for range roomy {
		i.addUnseen(t, &counter{stops: map[int]bool{1: true}, at: at, release: release}, "before Run")
	}
	run := i.run(t)
	defer run.cancel()
	all(at, roomy)
	p.queue.inject(updatesOf("a", many)...)
	t.Wait()
	enough := max((leastHeap(t)-before)/10*4, least)
	run.cancel() // nobody needs to hear of them
	resume(release, roomy)
	run.end()
	return enough
}

// roomy is how many handlers have their room measured.
const roomy = 16

// hasLittleRoom looks at how large the buffers are when they are new, and after a burst of which each half of a buffer
// that has two gets a part.
func hasLittleRoom(t *conform.T, s Subject, enough int64) {
	const part = 700
	p := newParts(&faucet{out: make(chan kit.Event[*kit.Pod])}).quiet()
	i := assemble(t, s, p)
	at, release := make(chan int), make(chan struct{})
	before := leastHeap(t)
	for range roomy {
		i.addUnseen(t, &counter{stops: map[int]bool{1: true, 2: true}, at: at, release: release}, "before Run")
	}
	fresh := leastHeap(t) - before
	run := i.run(t)
	defer run.cancel()
	for range 2 { // each handler is in its first call, and then in its second, with the rest of the first part before it
		all(at, roomy)
		p.queue.inject(updatesOf("a", part)...)
		t.Wait()
		resume(release, roomy)
	}
	t.Wait()
	after := leastHeap(t) - before
	run.end()
	t.Require(fresh < enough, "%d handlers were added before Run, and the heap is %d KiB larger than before. "+room+" %d KiB for all handlers.", roomy, kib(fresh), kib(enough))
	t.Require(after < enough, "%d handlers have heard of two bursts of %d updates, of which the second came while they were busy with the first. The heap is %d KiB larger than before the handlers were added. "+room+" %d KiB for all handlers.", roomy, part, kib(after), kib(enough))
}

const room = "When nothing is pending, the buffer has room for no more than 1024 notifications, all its slices together, and many that are pending take so much that this is at most"

// keepsOneHalf looks at buffers after three bursts, between which nothing was pending. A burst has room in what a buffer may
// keep, but two slices may not both keep that. Two slices that change places may have changed an even number of times between
// two of the bursts, but not between all: one update comes alone.
func keepsOneHalf(t *conform.T, s Subject, enough int64) {
	const burst, bursts = 700, 3
	p := newParts(&faucet{out: make(chan kit.Event[*kit.Pod])}).quiet()
	i := assemble(t, s, p)
	at, release := make(chan int), make(chan struct{})
	before := leastHeap(t)
	for range roomy {
		i.addUnseen(t, &counter{stops: map[int]bool{1: true, 1 + burst + 1: true, 2*(1+burst) + 1 + 1: true}, at: at, release: release}, "before Run")
	}
	run := i.run(t)
	defer run.cancel()
	for n := range bursts {
		for alone := range n { // the first list brings the first, and of two the first comes alone
			t.Wait()
			p.queue.inject(delta(kit.DeltaUpdated, "b", 10*n+alone))
		}
		all(at, roomy)
		p.queue.inject(updatesOf("a", burst)...)
		t.Wait()
		resume(release, roomy)
		t.Wait()
	}
	after := leastHeap(t) - before
	run.end()
	t.Require(after < enough, "%d handlers have heard of %d bursts of %d updates, between which nothing was pending. The heap is %d KiB larger than before the handlers were added. "+room+" %d KiB for all handlers.", roomy, bursts, burst, kib(after), kib(enough))
}

// leastHeap is probe.Heap when what an earlier part of the case has left is gone, and the machinery around the case, which
// takes half a MiB now and then, has none of it.
func leastHeap(t *conform.T) int64 {
	least := probe.Heap()
	for range 2 {
		t.Wait()
		least = min(least, probe.Heap())
	}
	return least
}

func kib(bytes int64) int64 { return bytes >> 10 }

// endsSmallWhenLate adds handlers during Run, when many objects are stored. 96 bytes are enough for a notification of any kind.
// In a bubble, where the pause takes no time, they may panic in the first call and in the last.
func endsSmallWhenLate(t *conform.T, s Subject, panic bool) {
	const handlers, objects, enough = 8, 5000, 8 * 1024 * 96
	p := newParts(&faucet{out: make(chan kit.Event[*kit.Pod])}).quiet()
	i := assemble(t, s, p)
	run := i.run(t)
	defer run.cancel()
	t.Wait()                      // or the first list comes later, and none of them is in it
	var many kit.Deltas[*kit.Pod] // and the first list has brought another object
	for k := range objects - 1 {
		many = append(many, delta(kit.DeltaAdded, fmt.Sprintf("p%d", k), 1))
	}
	p.queue.inject(many...)
	t.Wait()
	at, release := make(chan int), make(chan struct{})
	before := leastHeap(t)
	for range handlers {
		i.addUnseen(t, &counter{stops: map[int]bool{1: true}, panics: map[int]bool{1: panic, objects: panic}, at: at, release: release}, "during Run")
	}
	all(at, handlers)
	resume(release, handlers)
	t.Wait()
	have := "have heard of all of them"
	if panic {
		time.Sleep(aMoment)
		have += ", panicked in the first of these calls and in the last, more than a second ago"
	}
	grown := probe.Growth(before, enough)
	t.Require(grown < enough, "%d handlers were added during Run, when %d objects were stored, %s, and the heap is %.1f MiB larger than before: when nothing is pending the buffer of each has room for 1024 notifications at most.", handlers, objects, have, mib(grown))
	run.end()
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// flood sends n updates, all with the same two objects, in turn. The first differs from what a list brings,
// and from what an even number of them has left: of a sync a handler may hear nothing.
func (f *faucet) flood(n int) {
	a, b := pod("a", 2), pod("a", 1)
	a.ResourceVersion, b.ResourceVersion = "one", "other" // and none is older than the other
	for k := range n {
		if k%2 == 0 {
			f.out <- kit.Event[*kit.Pod]{Type: kit.Modified, Object: a}
		} else {
			f.out <- kit.Event[*kit.Pod]{Type: kit.Modified, Object: b}
		}
	}
}

// forgetsARemovedHandler removes a handler with notifications pending, and one before Run, and keeps their
// registrations.
func forgetsARemovedHandler(t *conform.T, s Subject) {
	const pinned = 100
	f := &faucet{out: make(chan kit.Event[*kit.Pod])}
	i := assemble(t, s, newParts(f))
	at, release := make(chan int), make(chan struct{})
	before := i.add(t, &counter{})
	i.removes(t, before, "another handler", "A handler was removed before Run")
	r := i.add(t, &counter{stops: map[int]bool{1: true, 3: true}, at: at, release: release})
	run := i.run(t)
	defer run.cancel()
	<-at
	pods := f.fill(pinned / 2)
	t.Wait()
	release <- struct{}{}
	<-at // in its third call, with some before it that a buffer may have handed out already
	pods = append(pods, f.fill(pinned/2)...)
	f.out <- kit.Event[*kit.Pod]{Type: kit.Modified, Object: pod("a", 1000)}
	t.Wait()
	t.Note("%d updates and more are pending for a handler that is in its third call", pinned)
	i.removes(t, r, "handler", "A handler was removed during Run, while it was in a call")
	release <- struct{}{}
	<-r.ShutdownChan()
	t.Wait()
	alive := probe.Alive(pods[:pinned-5])
	t.Require(alive == 0, "A handler was removed before Run, and another one during it, whose last call has returned, and %d of %d objects that were pending for the second are still kept in memory. Only the registrations are left of the two.", alive, pinned-5)
	run.end()
	runtime.KeepAlive(r)
	runtime.KeepAlive(before)
}

// forgetsTheLast has handlers hear of a deletion, and nothing after it. One object may be kept
// by chance, but not three in a row.
func forgetsTheLast(t *conform.T, s Subject) {
	alive := lastKept(t, s, func() named { return &counter{} }, t.Wait)
	t.Require(alive == 0, "All handlers have heard of the deletion of an object, nothing is pending, nothing came after it, and the object is still kept in memory. When a call is over, the buffer no longer refers to its objects, also if nothing else is pending.")
}

// forgetsWhatPanicked has handlers panic in the last call that is pending.
func forgetsWhatPanicked(t *conform.T, s Subject) {
	alive := lastKept(t, s, func() named { return clumsy{&counter{}} }, func() { time.Sleep(aMoment) })
	t.Require(alive == 0, "All handlers panicked when they heard of the deletion of an object, the second after that has passed, nothing came after it, and the object is still kept in memory. When the pause after a call is over, the buffer no longer refers to the objects of that call, also if nothing else is pending.")
}

// forgetsTheLastOfSome has handlers hear of a deletion that was pending behind others.
func forgetsTheLastOfSome(t *conform.T, s Subject) {
	alive := lastKept(t, s, func() named { return &steady{} }, func() { time.Sleep(time.Minute) })
	t.Require(alive == 0, "All handlers have heard of the deletion of an object, which was pending behind three updates, nothing is pending, nothing came after it, and the object is still kept in memory. When a call is over, the buffer no longer refers to its objects, also if nothing else is pending.")
}

// lastKept has four new handlers hear of three updates and a deletion, again if the last object is still kept when
// settle has returned, and returns how many are kept of the last.
func lastKept(t *conform.T, s Subject, handler func() named, settle func()) int {
	f := &faucet{out: make(chan kit.Event[*kit.Pod])}
	i := assemble(t, s, newParts(f))
	for range 4 {
		i.add(t, handler())
	}
	run := i.run(t)
	defer run.cancel()
	alive := 1
	for n := 0; n < 3 && alive > 0; n++ {
		f.fill(3)
		last := f.last()
		settle()
		alive = probe.Alive(last)
	}
	run.end()
	return alive
}

// forgetsWhileItSlides has backlogs that slide: each second every handler takes one notification, and one is added. Between
// 3 and 18 are always pending. It looks at what was kept every ten seconds, and when nothing is pending.
func forgetsWhileItSlides(t *conform.T, s Subject) {
	const handlers, least, objects, few = 16, 3, 300, 2
	const behind = least + handlers + 4 // and the last handler has heard of what came before
	f := &faucet{out: make(chan kit.Event[*kit.Pod])}
	i := assemble(t, s, newParts(f))
	for n := range handlers {
		i.add(t, &steady{first: time.Duration(n+least) * time.Second})
	}
	run := i.run(t)
	defer run.cancel()
	time.Sleep(time.Second / 2)
	const always = "An object was updated each second, while each of %d handlers made one call a second, so that always a few notifications were pending. All handlers have heard of %d of its versions, none of which is in the Indexer any longer"
	var pods []weak.Pointer[kit.Pod]
	for len(pods) < objects {
		pods = append(pods, f.modify(len(pods)+10))
		time.Sleep(time.Second)
		if heard := len(pods) - behind; heard > 0 && heard%10 == 0 {
			kept := probe.AliveAbove(pods[:heard], few)
			t.Require(kept <= few, always+", and %d are still kept in memory, while other notifications are pending. When a call is over, the buffer no longer refers to the objects of that call.", handlers, heard, kept)
		}
	}
	time.Sleep(time.Minute)
	heard := objects - 2 // the Indexer has the last, and the one before was the old object of the last call
	kept := probe.AliveAbove(pods[:heard], few)
	run.end()
	t.Require(kept <= few, always+", nothing is pending, and %d are still kept in memory. When a call is over, the buffer no longer refers to the objects of that call.", handlers, heard, kept)
}

// forgetsWithinAPop has one Pop bring many versions of an object, and then its deletion and another of that name. Each handler is
// in the call for the deletion.
func forgetsWithinAPop(t *conform.T, s Subject) {
	const handlers, versions, few = 4, 100, 2
	p := newParts(&faucet{out: make(chan kit.Event[*kit.Pod])})
	i := assemble(t, s, p)
	at, release := make(chan int), make(chan struct{})
	for range handlers {
		i.add(t, &counter{stops: map[int]bool{1 + versions + 1: true}, at: at, release: release})
	}
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	pods := p.queue.pass(versions)
	all(at, handlers)
	p.queue.inject(delta(kit.DeltaAdded, "b", 1))
	t.Wait()
	kept := probe.AliveAbove(pods, few)
	resume(release, handlers)
	t.Require(kept <= few, "One Pop brought %d updates of an object, its deletion and another object of that name. All %d handlers have heard of the updates and are in the call for the deletion, the addition is pending, and %d of the updated objects are still kept in memory. When a call is over, the buffer no longer refers to the objects of that call, whether other notifications are pending or not.", versions, handlers, kept)
	run.end()
}

// pass has one Pop bring n new versions of the pod, its deletion and an addition, and returns pointers that do not keep the versions.
//
//go:noinline
func (q *queue) pass(n int) []weak.Pointer[kit.Pod] {
	pods, deltas := make([]weak.Pointer[kit.Pod], n), kit.Deltas[*kit.Pod]{}
	for k := range pods {
		d := delta(kit.DeltaUpdated, "a", k+10)
		pods[k] = weak.Make(d.Object)
		deltas = append(deltas, d)
	}
	q.inject(append(deltas, delta(kit.DeltaDeleted, "a", 1000), delta(kit.DeltaAdded, "a", 1001))...)
	return pods
}

// modify sends a new version of the pod, and returns a pointer that does not keep it. It is a function of
// its own so that no frame of the case holds one.
//
//go:noinline
func (f *faucet) modify(version int) weak.Pointer[kit.Pod] {
	p := pod("a", version)
	f.out <- kit.Event[*kit.Pod]{Type: kit.Modified, Object: p}
	return weak.Make(p)
}

// steady is a handler whose first call takes longer than the others, which take a second each.
type steady struct {
	first  time.Duration
	called bool
}

func (s *steady) String() string              { return "steady" }
func (s *steady) OnAdd(*kit.Pod, bool)        { s.call() }
func (s *steady) OnUpdate(*kit.Pod, *kit.Pod) { s.call() }
func (s *steady) OnDelete(*kit.Pod, bool)     { s.call() }
func (s *steady) call() {
	if !s.called {
		s.called = true
		time.Sleep(s.first)
	} else {
		time.Sleep(time.Second)
	}
}

// clumsy is a counter that panics when an object is deleted.
type clumsy struct{ *counter }

func (c clumsy) OnDelete(*kit.Pod, bool) { panic("clumsy") }

// forgetsAList adds a handler during Run, which stands still in the 90th of 100 initial OnAdds. All of
// those objects were deleted meanwhile.
func forgetsAList(t *conform.T, s Subject) {
	const n, heard = 100, 90
	f := &faucet{out: make(chan kit.Event[*kit.Pod])}
	i := assemble(t, s, newParts(f))
	run := i.run(t)
	defer run.cancel()
	pods := f.spread(n)
	t.Wait()
	at, release := make(chan int), make(chan struct{})
	i.add(t, &counter{stops: map[int]bool{heard: true}, at: at, release: release})
	<-at
	for k := range n {
		f.out <- kit.Event[*kit.Pod]{Type: kit.Deleted, Object: pod(fmt.Sprintf("p%d", k), 1000)}
	}
	f.flood(1)
	t.Wait()
	alive := probe.Alive(pods)
	release <- struct{}{}
	t.Require(alive <= n-heard+5, "A handler was added during Run and has heard of %d of %d stored objects. All of those have been deleted since, so that the Indexer has none of them, and %d are still kept in memory.", heard, n, alive)
	run.end()
}

// forgetsHandlers adds handlers, removes them, the last first, and keeps nothing of them. A second
// before, a resync was due for each. What they have heard is pending for a handler that is in its first call.
func forgetsHandlers(t *conform.T, s Subject) {
	const handlers = 10
	f := &faucet{out: make(chan kit.Event[*kit.Pod])}
	p := newParts(f)
	p.Resync = 2 * time.Second
	i := assemble(t, s, p)
	i.add(t, &counter{})
	at, release := make(chan int, 1), make(chan struct{})
	i.add(t, &counter{stops: map[int]bool{1: true}, at: at, release: release})
	early := probe.Alive(i.comeAndGo(t, handlers))
	t.Require(early <= 2, "%d handlers were added and removed before Run, nobody has their registrations any longer, Run was not called yet, and %d of the handlers are still kept in memory: the informer keeps no reference to them.", handlers, early)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	left := i.comeAndGo(t, handlers)
	f.fill(2)
	t.Wait()
	alive := probe.Alive(left)
	close(release)
	t.Require(alive <= 2, "%d handlers were removed, the ShutdownChans of all of them are closed, nobody has their registrations any longer, and a second before a resync was due for each: %d of the handlers are still kept in memory. Another handler goes on, and a third has been in its first call all the time.", handlers, alive)
	run.end()
}

// comeAndGo adds n handlers and removes them, and returns pointers that do not keep them. It is a
// function of its own so that no frame of the case holds one.
//
//go:noinline
func (c client) comeAndGo(t *conform.T, n int) []weak.Pointer[counter] {
	left := make([]weak.Pointer[counter], n)
	all := make([]kit.Registration, n)
	for k := range n {
		h := &counter{}
		left[k], all[k] = weak.Make(h), c.add(t, h)
	}
	time.Sleep(3 * time.Second)
	for k := n - 1; k >= 0; k-- {
		c.removes(t, all[k], "handler", "A handler was removed")
		<-all[k].ShutdownChan()
	}
	return left
}

// all waits until all handlers stand still.
func all(at <-chan int, handlers int) {
	for range handlers {
		<-at
	}
}

// resume lets them go on.
func resume(release chan<- struct{}, handlers int) {
	for range handlers {
		release <- struct{}{}
	}
}

// counter is a handler that stands still in some of its calls, and in the last. It panics in some.
type counter struct {
	calls   int
	stops   map[int]bool
	panics  map[int]bool // at the end of the call
	last    int
	at      chan<- int
	release <-chan struct{}
}

func (c *counter) String() string              { return "counter" }
func (c *counter) OnAdd(*kit.Pod, bool)        { c.call() }
func (c *counter) OnUpdate(*kit.Pod, *kit.Pod) { c.call() }
func (c *counter) OnDelete(*kit.Pod, bool)     { c.call() }
func (c *counter) call() {
	c.calls++
	if c.stops[c.calls] || c.calls == c.last {
		c.at <- c.calls
		<-c.release
	}
	if c.panics[c.calls] {
		panic("clumsy")
	}
}

// faucet is a kit.ListerWatcher of one pod whose watch brings what is sent into out. It
// keeps nothing itself.
type faucet struct{ out chan kit.Event[*kit.Pod] }

func (f *faucet) List(context.Context, kit.ListOptions) (kit.List[*kit.Pod], error) {
	return kit.List[*kit.Pod]{ResourceVersion: "1", Items: []*kit.Pod{pod("a", 1)}}, nil
}

func (f *faucet) Watch(context.Context, kit.ListOptions) (kit.Watch[*kit.Pod], error) { return f, nil }
func (f *faucet) ResultChan() <-chan kit.Event[*kit.Pod]                              { return f.out }
func (f *faucet) Stop()                                                               {}

// spread adds n pods of other names, and returns pointers that do not keep them.
//
//go:noinline
func (f *faucet) spread(n int) []weak.Pointer[kit.Pod] {
	pods := make([]weak.Pointer[kit.Pod], n)
	for i := range pods {
		p := pod(fmt.Sprintf("p%d", i), 1)
		pods[i] = weak.Make(p)
		f.out <- kit.Event[*kit.Pod]{Type: kit.Added, Object: p}
	}
	return pods
}

// last deletes the pod, and returns a pointer that does not keep what the deletion brings.
//
//go:noinline
func (f *faucet) last() []weak.Pointer[kit.Pod] {
	p := pod("a", 1000)
	f.out <- kit.Event[*kit.Pod]{Type: kit.Deleted, Object: p}
	return []weak.Pointer[kit.Pod]{weak.Make(p)}
}

// fill sends n new versions of the pod, and returns pointers that do not keep them.
func (f *faucet) fill(n int) []weak.Pointer[kit.Pod] {
	pods := make([]weak.Pointer[kit.Pod], n)
	for i := range pods {
		pods[i] = f.modify(i + 10)
	}
	return pods
}
