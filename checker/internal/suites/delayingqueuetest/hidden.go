package delayingqueuetest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(waiting, ending, crowded)

var waiting = []conform.Case[Subject]{
	{
		Name:   "in-order-of-moments",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the order in which waiting items are kept"},
		Rule:   "Items are added in the order of their moments, whatever the order of the calls.",
		Why:    "After an outage thousands of keys wait with back-offs between milliseconds and minutes; each is due when it is due.",
		Hint: []string{
			"Which item is due when the timer fires? What finds it without looking at all of them?",
			"container/heap with the earliest moment at index 0.",
		},
		Source:   "client-go util/workqueue/delaying_queue_test.go: TestCopyShifting",
		Contract: []string{"Items that waited are added in the order of their moments, one after the other", "at that moment and not later, as long as the queue underneath is quick", "an item whose moment has passed meanwhile is added without further delay"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := start(t, open())
			for i, seconds := range t.Rand().Perm(40) {
				w.later(string(rune('A'+i)), time.Duration(seconds+1)*time.Second)
			}
			w.later("a moment", time.Nanosecond) // the least delay that is one
			w.later("within a millisecond, later", 900*time.Microsecond)
			w.later("within a millisecond, sooner", 500*time.Microsecond)
			w.later("within a microsecond, later", 1900*time.Nanosecond)
			w.later("within a microsecond, sooner", 1100*time.Nanosecond)
			w.elapse(time.Minute)
			w.ShutDown()
			overdueInOrder(t, open())
		},
	},
	{
		Name:   "a-sooner-item-is-not-late",
		Points: 6,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the loop that sets the timer"},
		Rule:   "An item that is due before all waiting ones is added at its moment, although the timer was set for another.",
		Why:    "A key that is due in a second must not wait until a key that is due in an hour wakes the loop.",
		Hint: []string{
			"Your goroutine sleeps until the earliest moment it knows of. How does it learn of an earlier one?",
			"AddAfter hands the item to the goroutine through a channel; each time round, set the timer to whatever is first now.",
		},
		Source:   "client-go util/workqueue/delaying_queue.go: waitingLoop; client-go util/workqueue/delaying_queue_test.go: TestAddTwoFireEarly",
		Contract: []string{"at that moment and not later, as long as the queue underneath is quick", "the earlier of the two moments counts and the later is dropped"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := start(t, open())
			for i, delay := range []time.Duration{5 * time.Hour, time.Hour, time.Minute, time.Second} {
				w.later(string(rune('a'+i)), delay)
				t.Wait() // the timer stands at this one now
			}
			w.later("a", time.Millisecond) // waits already
			w.elapse(10 * time.Hour)
			w.ShutDown()
			soonerByLittle(t, start(t, open()))
		},
	},
	{
		Name:   "moved-forward-in-the-heap",
		Points: 6,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the step that enters an item among those that wait"},
		Rule:   "An item whose moment moves forward gets its new place among all waiting items, and no other item loses its place.",
		Why:    "One key at the wrong place in the heap is not one key late: everything below it may be.",
		Hint: []string{
			"After you have changed an entry's moment, is your heap still a heap?",
			"heap.Fix(h, index) puts one entry right, if index is its place.",
			"Entries move whenever the heap does: Swap has to write both indices, Push the new one.",
		},
		Source:   "client-go util/workqueue/delaying_queue.go: insert, Swap; Go container/heap/heap.go: Fix (no test of upstream fails without either)",
		Contract: []string{"the earlier of the two moments counts and the later is dropped", "at that moment and not later, as long as the queue underneath is quick"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			fromTheBottom(t, start(t, open()))
			w := start(t, open())
			set := func(item rune, seconds int) {
				w.later(string(item), time.Duration(seconds)*time.Second)
				t.Wait()
			}
			t.Note("a new queue; the latest is added first, so every entry is moved by the next one")
			for i := range 15 {
				set(rune('a'+i), 300-10*i)
			}
			t.Note("now a to g move from the bottom of the heap to its top")
			for i, at := range []int{155, 151, 147, 143, 139, 135, 131} {
				set(rune('a'+i), at)
			}
			set('k', 100)
			set('a', 50)
			w.elapse(time.Hour)
			w.ShutDown()
			fromAmongEquals(t, start(t, open()))
			amongMany(t, start(t, open()))
		},
	},
	{
		Name:   "counts-from-the-call",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the loop that adds what is due"},
		Rule:   "The delay is counted from the call of AddAfter, also while the queue underneath is slow.",
		Why:    "If the delay counted from the moment at which the loop has time for it, delays would add up under load, and a busy controller would fall further and further behind.",
		Hint: []string{
			"Where do you call time.Now: in AddAfter, or in the goroutine that receives?",
			"Send the moment, not the duration.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: AddAfter, readyAt (is computed by the caller)",
		Contract: []string{
			"Where the queue underneath is slow to add, AddAfter may block for as long.",
			"Items that waited are added in the order of their moments, one after the other",
			"at that moment and not later, as long as the queue underneath is quick",
			"The moment is counted from the call all the same, and an item whose moment has passed meanwhile is added without further delay",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := start(t, open())
			release := w.stall()
			began := t.Elapsed()
			t.Go("producer 1", func(a *conform.Actor) { w.As(a).AddAfter("missed", time.Second) })
			t.Go("producer 2", func(a *conform.Actor) { w.As(a).AddAfter("to come", 10*time.Second) })
			time.Sleep(4 * time.Second)
			released := t.Elapsed()
			release()
			time.Sleep(time.Minute)
			w.once("missed", began+time.Second, released)
			w.once("to come", began+10*time.Second, began+10*time.Second)
			w.ShutDown()
			nothingIsDropped(t, open())
			nothingIsLostBesideADirectAdd(t, open())
			quickAgain(t, start(t, open()))
		},
	},
	{
		Name:   "late-and-still-once",
		Points: 3,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the step that enters an item among those that wait"},
		Rule:   "An item whose moment has passed before the queue could look at it is added once, and its later moment is dropped as ever.",
		Why:    "A short cut for what is late anyway leaves an entry behind, and an hour later there is a reconcile that nobody asked for.",
		Hint: []string{
			"Does every item take the same way through your map and your heap? Also one that is due already?",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"An item waits once. If AddAfter is called for an item that is already waiting, the earlier of the two moments counts and the later is dropped",
			"an item whose moment has passed meanwhile is added without further delay",
			"If the same item already waits for a moment that is overdue when that Add returns: it is added for the earlier moment in any case, and may be added once more for the later",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := start(t, open())
			w.AddAfter("a", time.Hour)
			release := w.stall()
			moment := t.Elapsed() + time.Second
			t.Go("producer", func(a *conform.Actor) { w.As(a).AddAfter("a", time.Second) })
			time.Sleep(4 * time.Second) // its moment passes while the queue underneath is slow
			released := t.Elapsed()
			release()
			time.Sleep(2 * time.Hour)
			w.once("a", moment, released)
			w.ShutDown()
			waitsOnceFromThenOn(t, open())
			overdueAndDelayed(t, open())
		},
	},
	{
		Name:   "again-before-add-returns",
		Points: 4,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the loop that adds what is due"},
		Rule:   "A worker that has an item can delay it again, though the Add that queued it has not returned yet.",
		Why:    "A worker may be done with a key before the goroutine that added it runs again. If its AddAfter finds the key waiting still, the retry is lost, and nobody looks at the object again.",
		Hint: []string{
			"From when on can a worker have the item? Before Add of the queue underneath returns, or after?",
			"What does AddAfter find in your map at that moment?",
			"Take the item out of the map and the heap first, and call Add then.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"Once it has been added it can be delayed again: a worker may take it, and delay it, before Add of the queue underneath returns, and that delay counts",
			"An item waits once.",
			"an item whose moment has passed meanwhile is added without further delay",
			"With a duration of zero or less the item has been added when AddAfter returns",
			"Add, Len, Get, Done and ShuttingDown go straight to it",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := over(t, open(), func(q *queues.Plain) kit.Queue[string] { return lingering{q, time.Second} })
			w.AddAfter("a", time.Second)
			for range 3 {
				delaysAgain(t, w, "")
			}
			time.Sleep(time.Hour)
			came := w.added("a")
			t.Require(len(came) == 4, "Four moments of \"a\" counted, each 5s after the one before. While it was waiting AddAfter(\"a\", 10s) was called too, and it was added at %s: an item waits once, and of two moments the later is dropped.", moments(came))
			w.ShutDown()
			againBesideADirectAdd(t, open)
			overdueBeforeAddReturns(t, open())
			directlyBeforeAddReturns(t, open)
			oneOfManyBeforeAddReturns(t, open())
		},
	},
	{
		Name:   "one-entry-one-timer",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the loop that sets the timer"},
		Rule:   "However often AddAfter is called for a waiting item, it costs one entry and one timer, and nothing once it was added.",
		Why:    "client-go once made a timer in each round of its loop and stopped none: the memory of a waiting controller grew and grew.",
		Hint: []string{
			"How many timers exist after a thousand calls of AddAfter? What stops them?",
			"Make one timer when the goroutine starts, and Reset it.",
			"An item that is already waiting, with an earlier moment, needs nothing at all. Nor does one that was added: delete its entry from the map.",
		},
		Source: `kubernetes#83895; client-go util/workqueue/delaying_queue.go: waitingLoop, "nextReadyAtTimer.Stop()" (no test of upstream fails without it)`,
		Contract: []string{
			"It keeps one entry for each waiting item and one timer for all of them, however often AddAfter is called and however many items have waited before",
			"As an exception, calls that come while the queue underneath is slow may be kept until it is quick again, in any number, several for one item too, but not each by a goroutine of its own",
			"Once ShutDown has returned, or ShutDownWithDrain has shut the queue underneath down, AddAfter does nothing",
		},
		Alone: true,
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := works(t, open())
			w.AddAfter("a", 10*time.Hour)
			repeats(t, w, "later", func(int) time.Duration { return 20 * time.Hour })
			repeats(t, w, "earlier by 1ms each time", func(i int) time.Duration { return 10*time.Hour - time.Duration(i)*time.Millisecond })
			w.ShutDown()
			noGoroutineEach(t, works(t, open()))
			nothingOfThePast(t, open())
			noRecordOfThePast(t, open())
		},
	},
}

// soonerByLittle has items wait that are soon due, and calls AddAfter for another that is due before them, by
// little, and then for one of them, by a nanosecond more, and for one by a nanosecond alone.
func soonerByLittle(t *conform.T, w *world) {
	for _, delay := range []time.Duration{9 * time.Second, 9 * time.Millisecond, 90 * time.Microsecond, 9 * time.Microsecond, 900 * time.Nanosecond} {
		w.later("first", delay)
		w.later("moves", delay)
		w.later("moves by a nanosecond", delay)
		t.Wait() // the timer stands at this moment now
		w.later("moves by a nanosecond", delay-time.Nanosecond)
		t.Wait()
		w.later("sooner by little", delay-delay/18)
		t.Wait()
		w.later("moves", delay-delay/18-time.Nanosecond)
		w.elapse(2 * delay)
	}
	w.ShutDown()
}

// fromTheBottom adds the earliest first, so that no entry is moved before the last one gets an earlier
// moment: it shows what is wrong even if every entry knows its place.
func fromTheBottom(t *conform.T, w *world) {
	for i, item := range []string{"top", "left", "right", "bottom"} {
		w.later(item, time.Duration(i+1)*10*time.Second)
		t.Wait()
	}
	w.later("bottom", 5*time.Second)
	w.elapse(time.Minute)
	w.ShutDown()
}

// fromAmongEquals has very many items wait for the same moment, and some of them move forward: each of
// these, and none beside it.
func fromAmongEquals(t *conform.T, w *world) {
	const items, every = 320, 8
	want := map[string]time.Duration{}
	delay := func(i int, by time.Duration) {
		item := strconv.Itoa(i)
		want[item] = t.Elapsed() + by
		w.queue.AddAfter(item, by)
	}
	last := t.Elapsed() + time.Hour
	for i := range items {
		delay(i, time.Hour)
	}
	t.Wait()
	for i := 0; i < items; i += every {
		delay(i, time.Duration(i+1)*time.Second)
	}
	t.Note("AddAfter(…, 1h) for the items 0 to %d, and then AddAfter(\"0\", 1s), AddAfter(\"%d\", %[2]ds) and so on for every eighth", items-1, every, every+1)
	time.Sleep(2 * time.Hour)
	got := map[string][]time.Duration{}
	for _, a := range w.under.Added() {
		got[a.Item] = append(got[a.Item], a.At)
	}
	taken := map[time.Duration]bool{}
	for _, at := range want {
		taken[at] = true
	}
	for i := range items {
		item := strconv.Itoa(i)
		times := got[item]
		first := ""
		if i == 0 {
			first = " With that it became the first of all that wait."
		}
		stays := len(times) == 1 && times[0] == last && want[item] < last
		t.Require(!stays, "%d items waited for the same moment, and every eighth of them was moved forward. %q was added at %v, its former moment, and AddAfter was called for it again, with %v: the earlier of the two moments counts, and that is %[5]v.%[6]s", items, item, last, time.Duration(i+1)*time.Second, want[item], first)
		late := len(times) == 1 && times[0] > want[item] && !taken[times[0]]
		t.Require(!late, "%d items waited for the same moment, and every eighth of them was moved forward. %q was added at %v, too late: its moment was %v, no item has the moment at which it came, and the queue underneath was quick. All items whose moment has come are added at that moment, however many they are.", items, item, moments(times), want[item])
		t.Require(len(times) == 1 && times[0] == want[item], "%d items waited for the same moment, and every eighth of them was moved forward. %q was %s, and its moment was %v: what moves is the item that AddAfter is called for, and no other.", items, item, came(times, ""), want[item])
	}
	w.ShutDown()
}

// amongMany has very many items wait, each for a moment of its own, the latest first. Then some of those that are due last
// move forward, and each becomes the first of all.
func amongMany(t *conform.T, w *world) {
	const items, move = 600, 30
	want := make([]queues.Addition, items)
	delay := func(i int, by time.Duration) {
		want[i] = queues.Addition{Item: strconv.Itoa(i), At: t.Elapsed() + by}
		w.queue.AddAfter(want[i].Item, by)
		t.Wait()
	}
	for i := range items {
		delay(i, time.Duration(2*items-i)*time.Second)
	}
	for i := range move {
		delay(i, time.Duration(items-i)*time.Second)
	}
	t.Note("AddAfter for the items 0 to %d, with %ds, %ds and so on; and then again for 0 to %d, with %ds, %ds and so on: each of these is the first of all now", items-1, 2*items, 2*items-1, move-1, items, items-1)
	time.Sleep(time.Hour)
	for _, one := range want {
		times := w.added(one.Item)
		t.Require(slices.Equal(times, []time.Duration{one.At}), "%d items waited, each for a moment of its own, and %d of those that were due last were moved forward, each to be the first of all. %q was %s, and its moment was %v: an item that moves forward gets its new place among all that wait, however many these are, and no other item loses its place.", items, move, one.Item, came(times, ""), one.At)
	}
	w.ShutDown()
}

// once requires that an item was added once, at its moment or when the slow queue underneath
// let go of another, whichever was later.
func (w *world) once(item string, moment, last time.Duration) {
	times := w.added(item)
	w.t.Require(len(times) != 0, "%q was never added, not until %v: its moment, counted from the call of AddAfter, was %v, and the queue underneath was slow until %v.", item, w.t.Elapsed(), moment, last)
	w.t.Require(len(times) == 1, "%q was added %s, at %v, and should have been added once, at %v.", item, conform.Count(len(times), "time"), times, max(moment, last))
	w.t.Require(times[0] >= moment, "%q was added at %v, too early: counted from the call of AddAfter, its moment was %v.", item, times[0], moment)
	w.t.Require(times[0] <= last, "%q was added at %v, too late: counted from the call of AddAfter, its moment was %v, and the queue underneath was slow until %v at most.", item, times[0], moment, last)
}

// repeats delays an item that waits already, many times, each time for what delay says, and
// requires that this costs no memory.
func repeats(t *conform.T, w *world, how string, delay func(i int) time.Duration) {
	const settle, calls, limit = 250, 5000, 75 << 10
	made := 0
	again := func(n int) {
		for range n {
			made++
			w.queue.AddAfter("a", delay(made))
			t.Wait() // so that the subject looks at each call by itself
		}
		t.Note("AddAfter(\"a\", …) %d times, %s", n, how)
	}
	again(settle)
	before := probe.Heap()
	again(calls)
	// A moment is 24 bytes, and a timer, or an entry, more than fifty: 117 KB at least if each call leaves one.
	if grown := probe.Growth(before, limit); grown >= limit {
		leavesSomething(t, again, calls, grown)
	}
}

// leavesSomething fails with what the calls have left, and with where that was made: a timer and
// an entry cost about the same.
func leavesSomething(t *conform.T, again func(n int), calls int, grown int64) {
	const more = 100
	t.Fatalf("AddAfter was called %d times for one item that waits already, and the memory grew by %d KiB: each call left %d bytes behind.%s",
		calls, grown>>10, grown/int64(calls), leftOf(fmt.Sprintf("another %d calls", more), func() { again(more) }))
}

// leftOf says what is left of more work, where any is: a map that has room for it does not grow.
func leftOf(what string, work func()) string {
	left := probe.Kept("labs/11-delaying-queue", work)
	if left == "" {
		return ""
	}
	return fmt.Sprintf(" Of %s there are left: %s.", what, left)
}

// nothingOfThePast delays thousands of items with long names, a few at a time, and requires that
// they cost no memory after they were added.
func nothingOfThePast(t *conform.T, s Subject) {
	const few, rounds, size, limit = 50, 40, 400, 3 << 17
	under := new(counting)
	call := t.Call("New(q)")
	q := s.New(under)
	call.Returned("")
	made := 0
	pass := func(rounds int) {
		for range rounds {
			for range few {
				made++
				q.AddAfter(strings.Repeat("x", size)+strconv.Itoa(made), time.Second)
			}
			time.Sleep(2 * time.Second)
		}
		t.Wait()
	}
	pass(2)
	before := probe.Heap()
	pass(rounds)
	all := made
	t.Note("AddAfter(…, 1s) for %d items in turn, %d at a time", all, few)
	added := int(under.added.Load())
	t.Require(added == all, "AddAfter was called for %d items, their moments have come, and %d of them have been added.", all, added)
	if grown := probe.Growth(before, limit); grown >= limit {
		t.Fatalf("%d items have waited, never more than %d of them at a time, and were added. None waits any longer, and the memory grew by %d KiB: there is one entry for each waiting item, however many have waited before.%s",
			all, few, grown>>10, leftOf(fmt.Sprintf("another %d items", few), func() { pass(1) }))
	}
	t.Do(q.ShutDown, "ShutDown()")
	nothingAfterTheEnd(t, q)
}

// nothingAfterTheEnd calls AddAfter very often after the shutdown, for items with long names.
func nothingAfterTheEnd(t *conform.T, q kit.DelayingQueue[string]) {
	const items, size, limit = 3000, 400, 1 << 19
	before := probe.Heap()
	for i := range items {
		q.AddAfter(strings.Repeat("y", size)+strconv.Itoa(i), time.Hour)
	}
	t.Note("AddAfter(…, 1h) for %d items, after the shutdown", items)
	t.Wait()
	grown := probe.Growth(before, limit)
	t.Require(grown < limit, "After the shutdown AddAfter was called for %d items, and the memory grew by %d KiB: it does nothing then, so it keeps nothing of them.", items, grown>>10)
	t.Require(q.ShuttingDown(), "ShuttingDown is false after ShutDown was called.")
}

// noRecordOfThePast delays the same items again and again, while another waits for long, and requires that what
// fires leaves nothing.
func noRecordOfThePast(t *conform.T, s Subject) {
	const items, rounds, limit = 6, 2000, 150 << 10
	under := new(counting)
	call := t.Call("New(q)")
	q := s.New(under)
	call.Returned("")
	t.Do(func() { q.AddAfter("a", 10_000*time.Hour) }, "AddAfter(\"a\", 10000h)")
	pass := func(rounds int) {
		for range rounds {
			for i := range items {
				q.AddAfter(string(rune(1000+i)), time.Second)
			}
			time.Sleep(2 * time.Second)
		}
		t.Wait()
	}
	pass(100)
	before := probe.Heap()
	pass(rounds)
	t.Note("AddAfter(…, 1s) for the same %d items, %d times, each time after they were added", items, rounds)
	// A moment is 24 bytes: 281 KiB if each firing leaves one, and about as much if each round leaves a timer.
	if grown := probe.Growth(before, limit); grown >= limit {
		t.Fatalf("%d items have waited %d times and were added each time, and the memory grew by %d KiB: an item that was added costs nothing, however many have waited before, and there is one timer for all.%s",
			items, rounds, grown>>10, leftOf("another 20 times", func() { pass(20) }))
	}
	t.Do(q.ShutDown, "ShutDown()")
}

// counting is a queue underneath that keeps nothing of what is added to it.
type counting struct {
	nowhere[string]
	added atomic.Int32
}

func (c *counting) Add(string) { c.added.Add(1) }

// noGoroutineEach calls AddAfter for one item very often while the queue underneath is slow.
func noGoroutineEach(t *conform.T, w *world) {
	const calls, limit = 1500, 50
	release := w.stall()
	before := t.Waiting()
	t.Go("handler", func(*conform.Actor) { // may block
		for range calls {
			w.queue.AddAfter("a", time.Hour)
		}
	})
	t.Note("a handler calls AddAfter(\"a\", 1h) %d times, while the queue underneath is slow", calls)
	time.Sleep(2 * time.Hour) // a caller may give up waiting after a while
	t.Wait()
	more := t.Waiting() - before
	t.Require(more < limit, "One goroutine called AddAfter(\"a\", 1h) up to %d times while the queue underneath was slow, and then there were %d goroutines more that wait: "+
		"calls that come while the queue underneath is slow may block or be kept, but not each by a goroutine of its own.", calls, more)
	release()
	t.Join()
	w.ShutDown()
}

var ending = []conform.Case[Subject]{
	{
		Name:   "shutdown-releases-producers",
		Points: 6,
		Func:   "DelayingQueue.ShutDown",
		Look:   []string{"DelayingQueue.AddAfter", "DelayingQueue.ShutDown"},
		Rule:   "ShutDown makes every AddAfter that blocks return, and waits neither for them nor for an Add of the queue underneath.",
		Why:    "Event handlers call AddAfter. A handler that hangs gets no further event, the buffer in front of it grows, and the controller cannot stop.",
		Hint: []string{
			"The queue underneath is slow, and your channel is full. What receives from it after ShutDown?",
			"A select in AddAfter: send, or the channel that ShutDown closes.",
			"Do not close the channel that producers send on: a send on a closed channel panics. Close another one.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: AddAfter (unblock if ShutDown() is called; no test of upstream fails without it); kubernetes#97323",
		Contract: []string{
			"A call that blocks returns: at once when ShutDown is called",
			"It makes every call of AddAfter that blocks return, and it does not wait for an Add of the queue underneath that is under way",
			"An AddAfter with no delay that is inside that Add may stay until it returns",
			"while ShutDownWithDrain is under way or after it",
			"drops all waiting items: none of them is added later",
			"Its methods never hold a lock while they call the queue underneath",
			"each call makes a call of its own underneath, and waits for no other",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				w := works(t, open())
				release, returned := crowd(t, w)
				w.shutsDownPastAnAdd("for an item whose moment had come")
				t.Wait()
				t.Require(len(returned) == cap(returned), "The queue was shut down, and %d of %d producers still block in AddAfter.", cap(returned)-len(returned), cap(returned))
				release()
				noneOfTheCrowdComes(t, w)
				releasedDuringADrain(t, works(t, open()))
				releasedFromSlowAdds(t, open())
			})
			// Outside a bubble, which cannot see a goroutine that waits for a lock.
			pastDirectAdds(t, open)
			pastAShutDown(t, open())
			t.Virtual(func(t *conform.T) { pastSlowAdds(t, open) })
		},
	},
	{
		Name:   "drain-releases-producers",
		Points: 4,
		Func:   "DelayingQueue.ShutDownWithDrain",
		Look:   []string{"DelayingQueue.AddAfter", "DelayingQueue.ShutDownWithDrain", "the loop that adds what is due"},
		Rule:   "After ShutDownWithDrain, too, no AddAfter stays blocked, even while the drain goes on.",
		Why:    "A controller that drains its queue never calls ShutDown. Its handlers would hang in AddAfter for good.",
		Hint: []string{
			"The queue underneath was slow, and your channel is full. Who receives from it after a drain has begun?",
			"Close the same channel as ShutDown does, before you drain the queue underneath: the worker that blocks may be one that the drain waits for.",
		},
		Source:   "the contract of this lab",
		Contract: []string{"A call that blocks returns: at once when ShutDown is called; if only ShutDownWithDrain is, at the latest a minute after the slow Add has returned, even while the drain goes on", "ShutDownWithDrain drops all waiting items"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			releasedByADrain(t, works(t, open()))
			w := works(t, open())
			w.AddAfter("overdue", 2*time.Second) // then the queue underneath is slow with another
			releasedByADrain(t, w)
			releasedWhileADrainGoesOn(t, open)
		},
	},
	{
		Name:   "shutdown-any-number-of-times",
		Points: 5,
		Func:   "DelayingQueue.ShutDown",
		Rule:   "ShutDown may be called more than once, after a drain as well.",
		Why:    "One shutdown comes from the context that ended, one from a deferred call, one from a second SIGTERM. None of these callers knows of the others.",
		Hint: []string{
			"What happens when a channel is closed twice?",
			"sync.Once.",
		},
		Source:   "client-go util/workqueue/delaying_queue.go: ShutDown (may be invoked more than once; no test of upstream fails without the Once)",
		Contract: []string{"ShutDown may be called more than once, at the same time, and while ShutDownWithDrain is under way or after it", "AddAfter does nothing: it does not even call Add of that queue"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stop := range shutdowns {
				w := works(t, open())
				w.AddAfter("a", time.Second)
				stop(w.Client)
				for range 3 {
					w.ShutDown()
					w.AddAfter("late", 0)
					w.AddAfter("late", -time.Nanosecond)
				}
				t.Require(w.ShuttingDown(), "ShuttingDown is false after ShutDown was called.")
				calls := timesOf("late", append(w.under.Late(), w.under.Added()...))
				t.Require(len(calls) == 0, "A queue was shut down again and again, and AddAfter(\"late\", 0s) and AddAfter(\"late\", -1ns) were called after each time. Add of the queue underneath was called %s: AddAfter does nothing, however often a shutdown was called.", conform.Count(len(calls), "time"))
			}
		},
	},
	{
		Name:   "shutdown-ends-the-loop",
		Points: 6,
		Func:   "DelayingQueue.ShutDown",
		Look:   []string{"DelayingQueue.ShutDown", "the loop that adds what is due"},
		Rule:   "After ShutDown, and a minute after ShutDownWithDrain has returned, no goroutine of the queue is left, whatever was waiting.",
		Why:    "Some operators start a controller for each custom resource. If each leaves a goroutine and a heap behind, the operator runs out of memory.",
		Hint: []string{
			"What besides a timer and an item can end the wait of your goroutine?",
			"A third case in the select: the channel that ShutDown closes.",
			"Does ShutDownWithDrain close it too?",
		},
		Source: "controller-runtime#649; client-go util/workqueue/delaying_queue.go: waitingLoop (no test of upstream fails without it)",
		Contract: []string{
			"The goroutines of this queue end as soon as ShutDown is called or, if only ShutDownWithDrain is, at the latest a minute after that has returned.",
			"If one of them is inside an Add of q at that time, these limits count from the return of that Add; if it then goes on to add overdue items, from the return of the last of those Adds.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			before := t.Waiting()
			endsAtOnce(t, open)
			for range 12 {
				endsWhileItemsAreOverdue(t, open())
			}
			for _, stop := range shutdowns {
				stop(start(t, open()).Client) // with nothing waiting
				w := works(t, open())
				w.AddAfter("a", 1000*time.Hour)
				t.Wait()
				stop(w.Client)
				time.Sleep(time.Minute + time.Millisecond)
				left := t.Waiting() - before
				time.Sleep(time.Hour)
				if t.Waiting() > before {
					return // it has leaked, and the end of the case says where it is
				}
				runsNoMore(t)
				t.Require(left <= 0, "The queue was shut down, and a minute later it had not ended what New started: %s of it waited, and ended within the hour.", conform.Count(left, "goroutine"))
			}
		},
	},
	{
		Name:   "shutdown-drops-what-waits",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "DelayingQueue.ShutDown", "DelayingQueue.ShutDownWithDrain", "the loop that adds what is due"},
		Rule:   "After ShutDown or ShutDownWithDrain nothing that waited is added, and AddAfter does nothing and never blocks.",
		Why:    "A handler may still be running when its controller stops. All of its calls must be harmless.",
		Hint: []string{
			"What receives from your channel after the goroutine has ended? How many calls does it take until it is full?",
			"A drain may take minutes. What does your goroutine do meanwhile, if you end it only after the drain?",
		},
		Source: "client-go util/workqueue/delaying_queue.go: AddAfter (don't add if we're already shutting down)",
		Contract: []string{
			"drops all waiting items: none of them is added later",
			"ShutDownWithDrain drops all waiting items",
			"Once ShutDown has returned, or ShutDownWithDrain has shut the queue underneath down, AddAfter does nothing: it does not even call Add of that queue",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stop := range shutdowns {
				w := works(t, open())
				w.AddAfter("waits", time.Hour)
				w.AddAfter("soon", time.Second/2)
				t.Wait()
				stop(w.Client)
				began := t.Elapsed()
				for range 1200 {
					w.AddAfter("late", time.Second)
					w.AddAfter("late", 0)
					w.AddAfter("late", math.MinInt64)
				}
				took := t.Elapsed() - began
				t.Require(took == 0, "After the shutdown AddAfter was called 3600 times, and blocked for %v in all: it should return at once.", took)
				time.Sleep(2 * time.Hour)
				for _, item := range []string{"waits", "soon"} {
					calls := append(w.added(item), timesOf(item, w.under.Late())...)
					t.Require(len(calls) == 0, "%q was waiting when the queue was shut down, and Add of the queue underneath was called for it later, at %s: a shutdown drops all that wait.", item, moments(calls))
				}
				t.Require(len(w.added("late")) == 0, "AddAfter was called for \"late\" after the shutdown, and it was added, at %v.", w.added("late"))
				calls := timesOf("late", w.under.Late())
				t.Require(len(calls) == 0, "AddAfter was called for \"late\" after the shutdown, with no delay and with a negative one too, and called Add of the queue underneath %s: it does nothing, for that Add may be slow.", conform.Count(len(calls), "time"))
			}
			droppedByADrain(t, works(t, open()))
			droppedBesideAnAdd(t, works(t, open()))
			rightAfterTheEnd(t, open)
		},
	},
	{
		Name:   "drain-is-the-queues",
		Points: 5,
		Func:   "DelayingQueue.ShutDownWithDrain",
		Rule:   "ShutDownWithDrain blocks as that of the queue underneath does: until the running work is done.",
		Why:    "The caller of a drain goes on to close what the workers use.",
		Hint: []string{
			"Which method of the queue underneath does your ShutDownWithDrain call?",
		},
		Source: "client-go util/workqueue/delaying_queue.go: delayingType (ShutDownWithDrain is promoted from the queue underneath)",
		Contract: []string{
			"calls ShutDownWithDrain of the queue underneath, and returns when that does",
			"It does not wait for an Add that is under way",
			"It may be called more than once, at the same time and after ShutDown: each call makes a call of its own underneath, and waits for no other",
			"It does not call ShutDown of the queue underneath, which would end drains",
			"ShutDown of this one, which may be called meanwhile, reaches the queue underneath and so ends the wait",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				w := works(t, open())
				w.Add("a")
				w.Expect(t, "a")
				drained := w.Drain(t)
				t.Require(!probe.Closed(drained), "ShutDownWithDrain returned while an item was being processed.")
				t.Require(w.ShuttingDown(), "ShuttingDown is false while ShutDownWithDrain is under way.")
				time.Sleep(24 * time.Hour)
				t.Require(!probe.Closed(drained), "ShutDownWithDrain returned while an item was being processed. It had waited, and within a day it gave up.")
				w.Done("a")
				t.Wait()
				t.Require(probe.Closed(drained), "The last item is done, and ShutDownWithDrain has not returned.")
				drainPastAnAdd(t, works(t, open()))
				drainsShutNothingDown(t, open)
			})
			drainPastDirectAdds(t, open)
			everyDrainIsTheQueues(t, open()) // outside a bubble: one may wait for another in a lock
			drainsAfterTheEnd(t, open)
		},
	},
	{
		Name:   "shutdown-aborts-a-drain",
		Points: 5,
		Func:   "DelayingQueue.ShutDown",
		Rule:   "ShutDown reaches the queue underneath while ShutDownWithDrain is under way, and ends it.",
		Why:    "The second SIGTERM means: stop waiting for the worker that hangs.",
		Hint: []string{
			"Does anything make your ShutDown wait for a running ShutDownWithDrain? A lock? A Once?",
			"Once.Do returns only when the function of the first call has returned. Do only the quick part in it: close the channel.",
		},
		Source:   "client-go util/workqueue/queue_test.go: TestForceQueueShutdownUsingShutDown (through the delaying queue)",
		Contract: []string{"ShutDown of this one, which may be called meanwhile, reaches the queue underneath and so ends the wait"},
		Check: func(t *conform.T, open func() Subject) {
			// Outside a bubble, which cannot see a goroutine that waits for a lock.
			w := start(t, open())
			w.AddAfter("hangs", time.Millisecond)
			w.Expect(t, "hangs")
			drained := w.Drain(t)
			t.Assert(!probe.Closed(drained), "ShutDownWithDrain returned while an item was being processed.")
			w.ShutDown()
			<-drained
			w.Done("hangs")
			endsALaterDrain(t, open())
		},
	},
}

// shutdowns are the two ways to end a queue.
var shutdowns = []func(queues.Client){queues.Client.ShutDown, queues.Client.ShutDownWithDrain}
