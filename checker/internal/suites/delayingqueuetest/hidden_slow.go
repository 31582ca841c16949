package delayingqueuetest

import (
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// crowd has four producers delay more items than most channels have room for, while the queue
// underneath is slow. Each of them that has returned is in returned.
func crowd(t *conform.T, w *world) (release func(), returned chan struct{}) {
	release = w.stall()
	returned = make(chan struct{}, 4)
	for i := range cap(returned) {
		t.Go("producer", func(a *conform.Actor) {
			for j := range 600 {
				w.As(a).AddAfter(string(rune(1000*(i+1)+j)), time.Hour)
			}
			returned <- struct{}{}
		})
	}
	t.Wait() // they are done, or wait for room
	return release, returned
}

// releasedDuringADrain shuts a queue down while producers may block and a drain is under way.
func releasedDuringADrain(t *conform.T, w *world) {
	w.Add("hangs")
	w.Expect(t, "hangs")
	release, returned := crowd(t, w)
	drained := w.Drain(t)
	w.shutsDownPastAnAdd("for an item whose moment had come, and ShutDownWithDrain was, too")
	t.Wait()
	t.Require(len(returned) == cap(returned), "ShutDown was called while ShutDownWithDrain was under way, and %d of %d producers still block in AddAfter: ShutDown makes every call that blocks return.", cap(returned)-len(returned), cap(returned))
	release()
	<-drained
}

// releasedFromSlowAdds shuts a queue down while producers may block whose moments have passed, and the queue underneath
// is slow to add whatever it is given.
func releasedFromSlowAdds(t *conform.T, s Subject) {
	const each = 300
	gate := make(chan struct{})
	w := over(t, s, func(q *queues.Plain) kit.Queue[string] { return slow{q, gate} })
	w.AddAfter("first", time.Second)
	time.Sleep(2 * time.Second)
	returned := make(chan struct{}, 4)
	for i := range cap(returned) {
		t.Go("producer", func(*conform.Actor) {
			for j := range each {
				w.queue.AddAfter(string(rune(1000*(i+1)+j)), time.Second)
			}
			returned <- struct{}{}
		})
	}
	t.Note("%d producers call AddAfter(…, 1s) for %d items each, while the queue underneath is slow to add any item", cap(returned), each)
	time.Sleep(5 * time.Second)
	w.ShutDown()
	t.Wait()
	t.Require(len(returned) == cap(returned), "%d producers called AddAfter(…, 1s) for %d items each, while Add of the queue underneath was slow with any item. 5s later ShutDown was called, and %d of them still block in AddAfter: a call that blocks returns at once when ShutDown is called, and waits for no Add.", cap(returned), each, cap(returned)-len(returned))
	close(gate)
	t.Join()
}

// slow is a queue whose Adds all wait for a gate.
type slow struct {
	*queues.Plain
	gate chan struct{}
}

func (q slow) Add(item string) {
	<-q.gate
	q.Plain.Add(item)
}

// releasedByADrain drains a queue while producers may block.
func releasedByADrain(t *conform.T, w *world) {
	release, returned := crowd(t, w)
	drained := w.Drain(t)
	release()
	time.Sleep(time.Minute) // who has a heartbeat notices the drain by then
	t.Wait()
	t.Require(probe.Closed(drained), "ShutDownWithDrain was called while Add of the queue underneath was under way, and nothing was queued or being processed. A minute after that Add has returned the drain has not.")
	t.Require(len(returned) == cap(returned), "ShutDownWithDrain was called, and has returned, and the queue underneath is quick again. A minute later %d of %d producers still block in AddAfter: a call that blocks returns.", cap(returned)-len(returned), cap(returned))
	noneOfTheCrowdComes(t, w)
	w.ShutDown()
}

// releasedWhileADrainGoesOn drains queues while a worker may block in AddAfter that has an item in hand. What a loop
// finds first afterwards is up to chance, so there are several rounds.
func releasedWhileADrainGoesOn(t *conform.T, open func() Subject) {
	const rounds, calls = 16, 1100 // more calls than most channels have room for
	for range rounds {
		w := start(t, open())
		w.Add("held")
		w.Expect(t, "held")
		release := w.stall()
		returned := make(chan struct{})
		t.Go("worker", func(*conform.Actor) {
			for range calls {
				w.queue.AddAfter("a", time.Hour)
			}
			close(returned)
		})
		t.Note("a worker that has \"held\" in hand calls AddAfter(\"a\", 1h) %d times, while the queue underneath is slow", calls)
		t.Wait() // it is done, or waits for room
		drained := w.Drain(t)
		release()
		time.Sleep(time.Minute) // who has a heartbeat notices the drain by then
		t.Wait()
		t.Require(probe.Closed(returned), "A worker had an item in hand and called AddAfter for another %d times, while Add of the queue underneath was under way. Then ShutDownWithDrain was called. A minute after that Add has returned the worker still blocks in AddAfter, and the drain waits for the worker: a call that blocks returns, even while the drain goes on.", calls)
		w.Done("held")
		<-drained
		w.ShutDown()
	}
}

// noneOfTheCrowdComes requires that no item of a crowd has been added by a call that a shutdown released.
func noneOfTheCrowdComes(t *conform.T, w *world) {
	t.Wait()
	for _, a := range slices.Concat(w.under.Added(), w.under.Late()) {
		if r := []rune(a.Item); len(r) == 1 && r[0] >= 1000 {
			t.Fatalf("Producers were in AddAfter(…, 1h) when the queue was shut down, and Add of the queue underneath was called for an item of theirs, at %v, long before its moment: a call that blocks returns, and what waits is dropped.", a.At)
		}
	}
}

// endsAtOnce shuts queues down, with nothing waiting and with an item that waits for long. What is left at
// rest, and later is not, waits for a time of its own.
func endsAtOnce(t *conform.T, open func() Subject) {
	before := t.Waiting()
	idle, w := start(t, open()), works(t, open())
	w.AddAfter("a", 1000*time.Hour)
	t.Wait()
	idle.ShutDown()
	w.ShutDown()
	t.Wait()
	left := t.Waiting() - before
	time.Sleep(time.Hour)
	if t.Waiting() > before {
		return // it has leaked, and the end of the case says where it is
	}
	t.Require(left <= 0, "ShutDown was called, and at that moment %s of the queue did not end but waited, and ended within the hour: they end as soon as ShutDown is called.", conform.Count(left, "goroutine"))
}

// endsWhileItemsAreOverdue shuts a queue down while Add of the queue underneath is under way, and the moments of
// very many other items have passed meanwhile. What is left of it the end of the case reports.
func endsWhileItemsAreOverdue(t *conform.T, s Subject) {
	const items = 130
	w := start(t, s)
	release := w.stall()
	t.Go("producer", func(*conform.Actor) { // may block
		for i := range items {
			w.queue.AddAfter(strconv.Itoa(i), time.Second)
		}
	})
	t.Note("a producer calls AddAfter(…, 1s) for %d items", items)
	time.Sleep(5 * time.Second)
	w.ShutDown()
	release()
	t.Join()
}

// runsNoMore requires that after a shutdown, whose time for the end of the goroutines is over, nothing wakes up
// from time to time.
func runsNoMore(t *conform.T) {
	before := probe.Wakeups()
	time.Sleep(24 * time.Hour)
	woken, polled := probe.Woken(before)
	t.Require(!polled, "All queues of this case were shut down, and more than an hour later goroutines of theirs began to run again and again, about %d times in 24h, as those of a timer do that is set again each time: the goroutines of a queue end.", woken)
}

// slowly are the ways to have an Add of the queue underneath be slow, and who waits for it.
var slowly = []struct {
	who string
	add func(q queues.DelayingClient)
}{
	{"for a caller of AddAfter with no delay", func(q queues.DelayingClient) { q.AddAfter("slow", 0) }},
	{"for a caller of Add", func(q queues.DelayingClient) { q.Add("slow") }},
	{"for an item whose moment had come", func(q queues.DelayingClient) { q.AddAfter("slow", time.Microsecond) }},
}

// whileSlow makes a subject over a queue that is slow to add an item, in one of the ways.
func whileSlow(t *conform.T, s Subject, add func(q queues.DelayingClient)) (w *world, release func()) {
	const handlers = 20
	under := slowToAdd{gate: make(chan struct{}), arrived: make(chan struct{}, handlers)}
	w = over(t, s, func(q *queues.Plain) kit.Queue[string] { under.Plain = q; return under })
	for range handlers {
		t.Go("handler", func(a *conform.Actor) { add(w.As(a)) })
	}
	<-under.arrived
	t.Wait()
	return w, func() {
		t.Note("Add(\"slow\") may go on")
		close(under.gate)
		t.Join()
	}
}

// pastDirectAdds shuts a queue down while an Add of the queue underneath is slow, and one more caller
// calls AddAfter with no delay for an item whose Add is quick.
func pastDirectAdds(t *conform.T, open func() Subject) {
	for _, slow := range slowly {
		w, release := whileSlow(t, open(), slow.add)
		returned := make(chan struct{})
		t.Go("other handler", func(a *conform.Actor) {
			w.As(a).AddAfter("quick", 0) // may block
			close(returned)
		})
		t.Wait()
		w.ShutDown()
		t.Require(closes(t, returned), "Add of the queue underneath was under way, %s, and AddAfter(\"quick\", 0s) blocked. ShutDown was called, and AddAfter still blocks, though no Add of its own is slow: a call that blocks returns at once when ShutDown is called.", slow.who)
		release()
	}
}

// drainPastDirectAdds drains a queue, again and again, while an Add of the queue underneath is slow.
func drainPastDirectAdds(t *conform.T, open func() Subject) {
	for _, slow := range slowly {
		w, release := whileSlow(t, open(), slow.add)
		for _, which := range []string{"called", "called again", "called for the third time"} {
			drained := w.Drain(t)
			t.Require(closes(t, drained), "Add of the queue underneath was under way, %s, and nothing was queued or being processed. ShutDownWithDrain was %s, and has not returned: it returns when that of the queue underneath does, and does not wait for an Add that is under way.", slow.who, which)
		}
		release()
		w.ShutDown() // a heartbeat would live on for a while
	}
}

// slowToAdd is a queue whose Adds of "slow" wait for a gate.
type slowToAdd struct {
	*queues.Plain
	gate    chan struct{}
	arrived chan struct{} // gets a value for each of them, as long as it has room
}

func (q slowToAdd) Add(item string) {
	if item == "slow" {
		select {
		case q.arrived <- struct{}{}:
		default:
		}
		<-q.gate
	}
	q.Plain.Add(item)
}

// shutsDownPastAnAdd calls ShutDown, again and again, while an Add of the queue underneath is under way, and requires
// that no time passes. who says whom that Add is for.
func (w *world) shutsDownPastAnAdd(who string) {
	for _, which := range []string{"ShutDown was called", "ShutDown was called again", "ShutDown was called for the third time"} {
		began := w.t.Elapsed()
		w.ShutDown()
		took := w.t.Elapsed() - began
		w.t.Require(took == 0, "Add of the queue underneath was under way, %s, when %s, and it returned after %v, and should have returned at once: it does not wait for an Add of the queue underneath that is under way.", who, which, took)
	}
}

// pastSlowAdds shuts a queue down while an Add of the queue underneath is slow. In a bubble, which sees whether
// ShutDown waits a while for that Add.
func pastSlowAdds(t *conform.T, open func() Subject) {
	for _, slow := range slowly {
		w := start(t, open())
		release := w.under.Hold("slow")
		t.Go("handler", func(a *conform.Actor) { slow.add(w.As(a)) })
		time.Sleep(time.Second)
		w.shutsDownPastAnAdd(slow.who)
		release()
		t.Join()
	}
}

// pastAShutDown calls AddAfter and ShutDownWithDrain while the queue underneath takes its time to shut down.
func pastAShutDown(t *conform.T, s Subject) {
	gate, drains := make(chan struct{}), new(atomic.Int32)
	w := over(t, s, func(q *queues.Plain) kit.Queue[string] { return slowToShut{q, gate, drains} })
	t.Go("manager", func(a *conform.Actor) { w.As(a).ShutDown() })
	t.Wait()
	w.AddAfter("a", time.Hour)
	t.Go("drainer", func(a *conform.Actor) { w.As(a).ShutDownWithDrain() })
	reached := atRest(t, func() bool { return drains.Load() == 1 })
	t.Require(reached, "ShutDown of the queue underneath was under way when ShutDownWithDrain was called, and ShutDownWithDrain of the queue underneath was not: no method holds a lock while it calls the queue underneath, and each call of ShutDownWithDrain makes one of its own there.")
	t.Note("ShutDown of the queue underneath may go on")
	close(gate)
	t.Join()
}

// slowToShut is a queue whose ShutDown waits for a gate.
type slowToShut struct {
	*queues.Plain
	gate   chan struct{}
	drains *atomic.Int32 // calls of ShutDownWithDrain
}

func (q slowToShut) ShutDownWithDrain() {
	q.drains.Add(1)
	q.Plain.ShutDownWithDrain()
}

func (q slowToShut) ShutDown() {
	<-q.gate
	q.Plain.ShutDown()
}

// slowToDrain is a queue whose drains return when their gate is open, and not before.
type slowToDrain struct {
	*queues.Plain
	gate  chan struct{}
	shuts *atomic.Int32 // calls of ShutDown
	times *atomic.Int32 // and of ShutDownWithDrain
}

func (q slowToDrain) ShutDown() {
	q.shuts.Add(1)
	q.Plain.ShutDown()
}

func (q slowToDrain) ShutDownWithDrain() {
	q.times.Add(1)
	q.Plain.ShutDownWithDrain()
	<-q.gate
}

// everyDrainIsTheQueues drains a queue twice at the same time and once more after ShutDown. The
// queue underneath takes its time for it, and ShutDown does not hurry it.
func everyDrainIsTheQueues(t *conform.T, s Subject) {
	gate, shuts, times := make(chan struct{}), new(atomic.Int32), new(atomic.Int32)
	w := over(t, s, func(q *queues.Plain) kit.Queue[string] { return slowToDrain{q, gate, shuts, times} })
	first, second := w.Drain(t), w.Drain(t)
	t.Require(times.Load() == 2, "ShutDownWithDrain was called twice at the same time, and ShutDownWithDrain of the queue underneath %s so far: each call makes a call of its own underneath, and waits for no other.", conform.Count(int(times.Load()), "time"))
	t.Require(shuts.Load() == 0, "ShutDownWithDrain was called, and called ShutDown of the queue underneath %s: that would end a drain.", conform.Count(int(shuts.Load()), "time"))
	blocks := func(drained <-chan struct{}, when string) {
		t.Require(!probe.Closed(drained), "ShutDownWithDrain was called %s, and returned before ShutDownWithDrain of the queue underneath did: it blocks until that returns, each time.", when)
	}
	blocks(first, "twice at the same time")
	blocks(second, "while another call of it was under way")
	w.ShutDown()
	third := w.Drain(t)
	blocks(first, "twice, and ShutDown while they were under way")
	blocks(second, "twice, and ShutDown while they were under way")
	blocks(third, "after ShutDown")
	t.Note("ShutDownWithDrain of the queue underneath may return")
	close(gate)
	for _, drained := range []<-chan struct{}{first, second, third} {
		<-drained
	}
}

// drainsAfterTheEnd drains a queue after ShutDown, and after a drain that ShutDown has ended. A worker
// holds an item all the while.
func drainsAfterTheEnd(t *conform.T, open func() Subject) {
	for _, before := range []struct {
		what string
		end  func(w *world)
	}{
		{"ShutDown", func(w *world) { w.ShutDown() }},
		{"a ShutDownWithDrain that ShutDown has ended", func(w *world) {
			drained := w.Drain(t)
			w.ShutDown()
			<-drained
		}},
	} {
		w := start(t, open())
		w.Add("held")
		w.Expect(t, "held")
		before.end(w)
		drained := w.Drain(t)
		t.Require(!probe.Closed(drained), "ShutDownWithDrain was called after %s, and returned while an item was being processed: it blocks until ShutDownWithDrain of the queue underneath returns, each time.", before.what)
		w.Done("held")
		<-drained
	}
}

// endsALaterDrain shuts a queue down whose first drain is over, while a second is under way.
func endsALaterDrain(t *conform.T, s Subject) {
	under := &slowToDrainAgain{down: make(chan struct{})}
	call := t.Call("New(q)")
	q := s.New(under)
	call.Returned("")
	t.Note("the first ShutDownWithDrain of the queue underneath returns at once, and a later one when ShutDown is called")
	t.Do(q.ShutDownWithDrain, "ShutDownWithDrain()")
	drained := make(chan struct{})
	t.Go("drainer", func(a *conform.Actor) {
		a.Do(q.ShutDownWithDrain, "ShutDownWithDrain()")
		close(drained)
	})
	t.Wait()
	t.Do(q.ShutDown, "ShutDown()")
	t.Require(probe.Closed(under.down), "ShutDownWithDrain was called and returned, and another call of it was under way. Then ShutDown was called, for the first time, and did not call ShutDown of the queue underneath: it reaches that queue, and so ends the wait of a drain, also if another drain was over before.")
	<-drained
}

// slowToDrainAgain is a queue that is always empty. Its first drain returns at once, and those after it when
// ShutDown is called.
type slowToDrainAgain struct {
	nowhere[string]
	drains atomic.Int32
	once   sync.Once
	down   chan struct{} // closed by ShutDown
}

func (q *slowToDrainAgain) ShutDown() {
	q.nowhere.ShutDown()
	q.once.Do(func() { close(q.down) })
}

func (q *slowToDrainAgain) ShutDownWithDrain() {
	q.nowhere.ShutDownWithDrain()
	if q.drains.Add(1) > 1 {
		<-q.down
	}
}

// drainPastAnAdd drains a queue whose Add is under way, while AddAfter is called or has been, and ends the
// drain.
func drainPastAnAdd(t *conform.T, w *world) {
	release := w.stall()
	w.Add("queued")                                                               // nobody takes it
	t.Go("producer", func(a *conform.Actor) { w.As(a).AddAfter("a", time.Hour) }) // may block
	t.Wait()
	drained := w.Drain(t)
	t.Require(w.under.ShuttingDown(), "ShutDownWithDrain was called while Add of the queue underneath was under way, and ShutDownWithDrain of that queue was not: a drain waits for no Add.")
	w.ShutDown()
	t.Wait()
	t.Require(probe.Closed(drained), "Add of the queue underneath was under way and an item was queued when ShutDownWithDrain was called, and then ShutDown. The drain has not returned: ShutDown ends its wait, and it waits for no Add.")
	release()
}

// drainsShutNothingDown drains queues twice. With each an item has its moment when the first drain begins.
func drainsShutNothingDown(t *conform.T, open func() Subject) {
	const rounds = 200
	for range rounds {
		under := new(shuts)
		q := open().New(under)
		q.AddAfter("a", time.Second)
		time.Sleep(time.Second)
		q.ShutDownWithDrain()
		q.ShutDownWithDrain()
		time.Sleep(time.Minute)
		t.Wait()
		n := int(under.n.Load())
		t.Require(n == 0, "New, AddAfter(\"a\", 1s), and a second later ShutDownWithDrain, twice: ShutDown of the queue underneath was called %s. A drain does not call it, for it would end other drains.", conform.Count(n, "time"))
	}
	t.Note("New, AddAfter(\"a\", 1s), and a second later ShutDownWithDrain, twice: all of it %d times", rounds)
}

// shuts is a queue underneath that is always empty, and counts the calls of ShutDown.
type shuts struct {
	nowhere[string]
	n atomic.Int32
}

func (q *shuts) ShutDown() {
	q.n.Add(1)
	q.nowhere.ShutDown()
}
