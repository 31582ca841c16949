package workqueuetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(waking, draining, shared)

var waking = []conform.Case[Subject]{
	{
		Name:   "requeue-goes-to-the-tail",
		Points: 4,
		Func:   "Queue.Done",
		Rule:   "An item that Done queues again goes to the tail, behind everything that was queued meanwhile.",
		Why:    "An object that changes all the time must not keep all others from their turn.",
		Look:   []string{"Queue.Done", "Queue.Add", "Queue.Get"},
		Hint: []string{
			"Where does Done put a dirty item? Who else is waiting there?",
			"Does your queue begin with new sets when it runs empty? Workers may still hold items then.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Done, queue.Push",
		Contract: []string{
			"If item is dirty it is put at the tail of the queue",
			"Like Add, it never waits for a worker",
			"An item that is being processed is only marked dirty: it is not queued before its Done",
			"Get takes the item at the head of the queue",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			q.Add("busy")
			q.Add("b")
			q.Expect(t, "busy")
			q.Add("busy")
			q.Add("c") // after busy was added, before it is queued
			q.Done("busy")
			q.Expect(t, "b")
			q.Expect(t, "c")
			q.Expect(t, "busy")
			q.ShutDown()
			behindMany(t, open())
		},
	},
	{
		Name:   "add-waits-for-nobody",
		Points: 3,
		Func:   "Queue.Add",
		Look:   []string{"Queue.Add", "Queue.Get", "New"},
		Rule:   "Add waits for no worker: while nobody takes items, the queue holds as many as are added.",
		Why:    "Add is called by event handlers. A handler that waits for a worker gets no further event, and the buffer in front of it grows.",
		Hint: []string{
			"Does anything in your queue have a fixed size?",
			"A buffered channel has; a slice grows.",
		},
		Source:   "client-go util/workqueue/queue.go: Typed.Add, DefaultQueue",
		Contract: []string{"Add never waits for a worker", "Get takes the item at the head of the queue", "A new queue is small, less than half a megabyte: its room grows with what is added. That is so, too, where one item takes a kilobyte"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 5000
			queue := open()
			addMany(t, queue, n)
			queues.Calling(t.Actor, queue).Holds(t, n, "so many items were added, and none was taken")
			workOff(t, queue, 20)
			startsSmall(t, open, "for values of type string")
			startsSmall(t, ofBig(open), "for values of a large type, [1024]byte,")
			addVeryMany(t, queue.OfInt())
			queue.ShutDown()
		},
	},
	{
		Name:   "each-item-wakes-a-getter",
		Points: 6,
		Func:   "Queue.Get",
		Look:   []string{"Queue.Add", "Queue.Done", "the wait in Queue.Get"},
		Rule:   "Every item that is queued, by Add or by Done, lets exactly one goroutine that waits in Get go on.",
		Why:    "After a lost wake-up no worker acts on the change until the next one comes, if one does.",
		Hint: []string{
			"What wakes a goroutine that sleeps in Get when there is something to do? Does every way into the queue do it?",
			"Signal after every push, in Add and in Done.",
			"A goroutine that wakes up may find the queue empty: another was quicker. It has to check again and wait again, in a loop around Wait.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Add, Typed.Done (cond.Signal); Go sync/cond.go: Cond.Wait (no test of upstream fails without the Signal in Add)",
		Contract: []string{
			"An item that is not known to the queue is put at its tail, and one goroutine that waits in Get is woken",
			"If item is dirty it is put at the tail of the queue, once, however often it was added meanwhile, and one goroutine that waits in Get is woken",
			"Any value of T may be an item, its zero value too",
			"A new queue is small, less than half a megabyte",
			"While nothing is queued Get waits",
		},
		Mode: conform.Virtual,
		Long: true,
		Check: func(t *conform.T, open func() Subject) {
			queue := open()
			q := queues.Calling(t.Actor, queue)
			six := []string{"", "b", "c", "d", "e", "f"}
			for round := range 5 {
				got := park(t, q, "worker", 6)
				allWait(t, got)
				if round == 0 {
					for i, item := range six {
						q.Add(item)
						t.Wait()
						returned(t, q, got, i+1, "added one by one while 6 goroutines waited in Get")
					}
				} else {
					atOnce(q, queue.Add, "Add", six)
					t.Wait()
					returned(t, q, got, 6, "added at once while 6 goroutines waited in Get")
				}
				doneAll(t, q, got)
			}
			for range 4 {
				requeued(t, queue, []string{"a", "b"})
			}
			requeuedInARow(t, queues.Calling(t.Actor, open()))
			takenFromTheWoken(t, open)
			oneOfVeryMany(t, open())
			nilForAWaiter(t, open)
			comeToGet(t, open)
			oneAddOneGet(t, open)
			twoAddsTwoGets(t, open)
			requeued(t, queue, []string{"a"}) // the last, because it leaves a goroutine in Get
			q.ShutDown()
		},
	},
	{
		Name:   "get-waits-asleep",
		Points: 5,
		Func:   "Queue.Get",
		Look:   []string{"Queue.Get", "Queue.ShutDownWithDrain"},
		Rule:   "A waiting goroutine sleeps, and goes on at the moment at which there is a reason to.",
		Why:    "A cluster is quiet most of the time. Forty controllers with five workers each that all check their queues a thousand times a second waste two cores.",
		Hint: []string{
			"What does a goroutine do in your Get while the queue is empty? How often?",
			"No time.Sleep and no loop that locks and unlocks: sync.Cond.Wait sleeps until somebody calls Signal or Broadcast.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Get (cond.Wait; no test of upstream fails for a busy-wait)",
		Contract: []string{
			"A waiting Get sleeps, and no part of the queue ever wakes up periodically, whether to check or to measure, not even while items are being processed. When an item is queued, one waiting Get goes on at that moment",
			"Then it blocks for as long as an item is being processed",
			"They wait in a sync.Cond or on a channel, and hold no mutex meanwhile that another call needs",
			"Once nothing is queued and nothing is being processed it returns. While it blocks it sleeps, as Get does, and does not poll",
		},
		Alone: true,
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			asleep(t, "and nobody waited in it")
			t.Note("nobody waits in the queue, and nothing of it wakes up")
			got := park(t, q, "worker", 2)
			allWait(t, got)
			asleep(t, "and two goroutines waited in Get")
			q.Add("a")
			t.Wait()
			came := cameBack(t, got)
			t.Require(len(came) == 1, "An item was added, and not one of 2 goroutines that wait in Get, but %d went on at that moment.", len(came))
			t.Require(came[0].item == "a", "Only \"a\" was added, and Get returned %v.", came[0])
			asleep(t, "while an item was being processed and another goroutine waited in Get")
			drained := q.Drain(t)
			t.Require(len(got) == 1, "The queue was shut down, and a goroutine that waits in Get did not go on at that moment.")
			asleep(t, "and ShutDownWithDrain waited for an item that was being processed")
			t.Require(!probe.Closed(drained), "A worker has held \"a\" for days, and ShutDownWithDrain has returned: it blocks for as long as an item is being processed, however long that takes.")
			q.Done("a")
			t.Wait()
			t.Require(probe.Closed(drained), "The last item is done, and ShutDownWithDrain did not return at that moment. (A Get has said meanwhile that the queue is shut down: it handed nothing out, so nothing is being processed.)")
			asleepWhileQueued(t, queues.Calling(t.Actor, open()))
		},
	},
	{
		Name:   "shutdown-wakes-every-getter",
		Points: 5,
		Func:   "Queue.ShutDown",
		Look:   []string{"Queue.ShutDown", "Queue.ShutDownWithDrain", "Queue.Get"},
		Rule:   "ShutDown and ShutDownWithDrain wake every goroutine that waits in Get, and each Get says that the queue is shut down.",
		Why:    "A manager waits for all workers before it gives up its lease. A worker that sleeps on keeps the next leader waiting until the lease runs out.",
		Hint: []string{
			"How many goroutines does Signal wake?",
			"Broadcast: nothing will come later that could wake the others.",
		},
		Source:   "client-go util/workqueue/queue.go: Typed.ShutDown (cond.Broadcast; no test of upstream fails if it is a Signal)",
		Contract: []string{"wakes all goroutines that wait in Get", "What is queued when the queue is shut down is still handed out", "ShutDownWithDrain shuts the queue down as ShutDown does", "When the queue is shut down, every waiting Get goes on at that moment", "A new queue is small, less than half a megabyte", "While nothing is queued Get waits", "the queue is shutting down Get returns the zero value and true"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stop := range shutdowns {
				t.Note("a new queue")
				q := queues.Calling(t.Actor, open())
				got := park(t, q, "worker", 6)
				allWait(t, got)
				stop(q)
				t.Wait()
				t.Require(len(got) == 6, "The queue was shut down while 6 goroutines waited in Get, and not all of them returned. Still in Get: %d.", 6-len(got))
				for range 6 {
					g := <-got
					t.Require(g == taken{"", true}, "The queue is shut down and empty, and Get returned %q, %t in place of the zero value and true.", g.item, g.shutdown)
				}
			}
			for _, stop := range shutdowns {
				veryManyEnd(t, open(), stop)
			}
			comeToTheEnd(t, open)
		},
	},
	{
		Name:   "forgets-what-is-done",
		Points: 5,
		Func:   "Queue.Done",
		Look:   []string{"Queue.Get", "Queue.Done", "Queue.Add", "Queue.ShutDownWithDrain"},
		Rule:   "The queue keeps no memory of an item that is neither queued nor being processed.",
		Why:    "A controller runs for months. client-go's queue once kept items alive that it had handed out long ago; one program held more than 2 GB that way.",
		Hint: []string{
			"After items = items[1:], where is the first item? Can the garbage collector see that you will not look at it?",
			"Set the slot to the zero value before you step over it: var zero T.",
			"And does every set release the item too?",
		},
		Source:   "kubernetes#104991; client-go util/workqueue/queue.go: queue.Pop; client-go util/workqueue/queue_test.go: TestGarbageCollection",
		Contract: []string{"The queue keeps nothing of an item that is neither queued nor being processed, not even its memory", "they do not grow with every item that goes through", "While nothing is queued Get waits", "What is queued when the queue is shut down is still handed out"},
		Alone:    true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var all []Subject
			var payloads []weak.Pointer[byte]
			for i := range 32 {
				q := open()
				payloads = append(payloads, workThrough(t, q, 4, i%2 == 0)...)
				all = append(all, q)
			}
			// A goroutine that was preempted may keep a stray pointer or two alive. A
			// mistake keeps one or more in every second queue.
			alive := probe.Alive(payloads)
			if alive > 4 {
				t.Fatalf("%d items were handed out and are done, and the queues still keep %d of them in memory (every second queue has one more item, which is still queued). %s", len(payloads), alive, keptWhere(t, all, payloads, alive))
			}
			keepsNoPast(t, all[0])
			for _, q := range all {
				q.ShutDown()
			}
			forgetsWhatEndsOtherwise(t, open)
		},
	},
	{
		Name:   "shutdown-ends-its-goroutines",
		Points: 3,
		Func:   "Queue.ShutDown",
		Look:   []string{"Queue.ShutDown", "the goroutines that New starts"},
		Rule:   "When ShutDown or ShutDownWithDrain has returned, no goroutine that the queue started is left waiting for anything.",
		Why:    "Tests and short-lived controllers make thousands of queues; if each has a goroutine that ends 'soon', it writes metrics and logs for a queue that is gone.",
		Hint: []string{
			"Does New start a goroutine? What waits for its end?",
			"A queue of this kind needs none. If you want one, close a channel in ShutDown and wait for a WaitGroup.",
		},
		Source:   "kubernetes#135072; client-go util/workqueue/queue.go: Typed.ShutDown (wg.Wait; no test of upstream fails without it)",
		Contract: []string{"If the queue starts goroutines of its own, they have ended, or are about to end, by the time ShutDown or ShutDownWithDrain returns: none of them still waits for anything then"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stop := range shutdowns {
				q := queues.Calling(t.Actor, open())
				q.Add("a")
				q.Expect(t, "a")
				q.Done("a")
				time.Sleep(odd)
				stop(q)
				left := t.Waiting()
				t.Require(left == 0, "The queue was shut down, and goroutines that it had started still wait: %d.", left)
			}
			abortLeavesNobody(t, queues.Calling(t.Actor, open()))
		},
	},
}

// ofBig makes queues for large items. The queue of strings beside each is not needed.
func ofBig(open func() Subject) func() kit.Queue[Big] {
	return func() kit.Queue[Big] {
		beside := open()
		beside.ShutDown()
		return beside.OfBig()
	}
}

// addMany adds the items "0", "1" and so on, n of them. Nobody takes any meanwhile.
func addMany(t *conform.T, queue Subject, n int) {
	const at = 1000
	for first := 0; first < n; first += at {
		t.Do(func() {
			for i := range at {
				queue.Add(fmt.Sprint(first + i))
			}
		}, "Add(\"%d\") to Add(\"%d\")", first, first+at-1)
	}
}

// addVeryMany adds so many items that no room of a fixed size that a new queue may have is enough for
// them, nor a number of 16 bits. A queue that searches what it holds is right, and too slow for that: it
// gets as many as it takes before a tenth of the case's processor time is spent, and 1024 at least.
func addVeryMany(t *conform.T, queue kit.Queue[int]) {
	const most, at = 1 << 17, 1 << 10
	t.Note("a queue for values of type int")
	n := 0
	for n == 0 || n < most && t.Spent() < 0.1 {
		t.Do(func() {
			for i := range at {
				queue.Add(n + i)
			}
		}, "Add(%d) to Add(%d)", n, n+at-1)
		n += at
	}
	queue.Add(n) // one more: a round number is the room that somebody would make
	n++
	got := queue.Len()
	t.Require(got == n, "%d items were added, and none was taken, and Len is %d. A queue holds as many as are added.", n, got)
	for want := range 20 {
		item, shutdown := queue.Get()
		t.Require(item == want && !shutdown, "0, 1, 2 and so on were added, %d items, and Get number %d should have returned %d and false, and returned %d and %t.", n, want+1, want, item, shutdown)
		queue.Done(item)
	}
	queue.ShutDown()
}

// workOff takes the first n that addMany has added, and is done with each.
func workOff(t *conform.T, queue Subject, n int) {
	for i := range n {
		item, shutdown := queue.Get()
		t.Require(!shutdown, "Very many items were added, and Get number %d says that the queue is shut down and empty.", i+1)
		t.Require(item == fmt.Sprint(i), "Get returned %q, and the item at the head of the queue is \"%d\".", item, i)
		queue.Done(item)
	}
	t.Note("Get and Done of \"0\" to \"%d\"", n-1)
}

// behindMany has workers hold items while the queue grows very long and is worked off: they become
// dirty before it, amid it and after it. Done queues each of them.
func behindMany(t *conform.T, queue Subject) {
	const n = 5000
	t.Note("another queue")
	q := queues.Calling(t.Actor, queue)
	for _, item := range []string{"before", "amid", "after"} {
		q.Add(item)
		q.Expect(t, item)
	}
	q.Add("before")
	addMany(t, queue, n)
	q.Add("amid")
	q.Done("amid") // must not wait for those that are queued
	q.Holds(t, n+1, "a dirty item is done, while so many others were queued")
	workOff(t, queue, n)
	q.Expect(t, "amid")
	q.Done("amid") // the queue is empty, and others are still being processed
	q.Add("after")
	q.Holds(t, 0, "the queue ran empty while workers held two items, and one of these was added now: it is not queued before its Done")
	q.Done("before")
	q.Holds(t, 1, "an item was added while it was processed, then the queue grew long and ran empty, and now the item is done")
	q.Done("after")
	q.Expect(t, "before")
	q.Expect(t, "after")
	q.ShutDown()
}

// shutdowns are the two ways to end a queue.
var shutdowns = []func(queues.Client){queues.Client.ShutDown, queues.Client.ShutDownWithDrain}

// odd is a span of virtual time that no polling interval hits.
const odd = 1_234_567 * time.Nanosecond

// allWait requires that no Get has returned: nothing is queued, and the queue is not shut down.
func allWait(t *conform.T, got <-chan taken) {
	came := cameBack(t, got)
	t.Require(len(came) == 0, "Nothing is queued, and %d of %d goroutines came back from Get (%s). While nothing is queued Get waits.", len(came), cap(got), listed(came))
}

// returned requires that n goroutines came back from Get, because so many items were queued.
func returned(t *conform.T, q queues.Client, got <-chan taken, n int, how string) {
	if len(got) == n {
		return
	}
	queued := q.Len()
	all := cameBack(t, got)
	came := cmp.Or(listed(all), "nothing")
	if len(all) > n {
		t.Fatalf("Items %s: %d. Gets that returned: %d (%s). Each item lets one go on, and the others wait.", how, n, len(all), came)
	}
	time.Sleep(time.Minute)
	t.Fatalf("Items %s: %d. Gets that returned: only %d (%s), and a minute later %d more. Len was %d when the others had not returned: so many items were queued, and each lets one goroutine go on.", how, n, len(all), came, len(got), queued)
}

// asleep requires that nothing of the subject runs while time passes. It begins with a short
// time, so that a queue that polls often is found out soon.
func asleep(t *conform.T, while string) {
	for _, quiet := range []time.Duration{time.Minute, time.Hour, 24 * time.Hour} {
		before := probe.Wakeups()
		time.Sleep(quiet + odd)
		woken, polled := probe.Woken(before)
		t.Require(!polled, "Nobody called the queue for %v, %s, and about %d times something of it woke up to look.", quiet, while, woken)
	}
}

// asleepWhileQueued has time pass while nobody waits in Get and items are queued: alone, beside one that
// is being processed, and after a shutdown.
func asleepWhileQueued(t *conform.T, q queues.Client) {
	t.Note("another queue, in which nobody waits")
	q.Add("a")
	q.Add("b")
	asleep(t, "while two items were queued and nobody took them")
	q.Expect(t, "a")
	asleep(t, "while one item was queued and another was being processed")
	q.Add("a")
	asleep(t, "while one item was queued and another was being processed and dirty")
	q.Done("a")
	asleep(t, "while two items were queued, one of them by Done")
	q.Expect(t, "b")
	drained := q.Drain(t)
	asleep(t, "and ShutDownWithDrain waited for an item that was being processed, while another was queued")
	q.ShutDown()
	q.Done("b")
	t.Wait()
	t.Require(probe.Closed(drained), "ShutDown was called, and a drain that was called before did not return at that moment.")
	asleep(t, "after a shutdown, while an item was still queued")
	q.Expect(t, "a")
	q.Done("a")
}

// doneAll takes what the parked goroutines got and calls Done for each, once.
func doneAll(t *conform.T, q queues.Client, got <-chan taken) {
	seen := map[string]bool{}
	for range cap(got) {
		g := <-got
		t.Require(!g.shutdown, "Get says that the queue is shut down, and nobody has shut it down.")
		t.Require(!seen[g.item], "%q was handed to two goroutines.", g.item)
		seen[g.item] = true
		q.Done(g.item)
	}
}

// workThrough queues n large items at once, takes and finishes them all, and
// returns weak pointers to their bytes. It can leave a small item queued behind them. It
// works on a goroutine of its own, so that no stack is left that could hold on to an item.
func workThrough(t *conform.T, q Subject, n int, leave bool) []weak.Pointer[byte] {
	payloads := make([]weak.Pointer[byte], n)
	t.Go("worker", func(a *conform.Actor) {
		for i := range n {
			item := fmt.Sprintf("%03d", i) + strings.Repeat(".", 16<<10)
			payloads[i] = weak.Make(unsafe.StringData(item))
			q.Add(item)
		}
		if leave {
			q.Add("stays")
		}
		for i := range n {
			item, shutdown := q.Get()
			if shutdown {
				t.Errorf("%d items of 16 KiB were added, and Get number %d says that the queue is shut down. Nobody has shut it down.", n, i+1)
				return
			}
			if len(item) < 16<<10 {
				t.Errorf("%d items of 16 KiB were added, and Get number %d returned one of %d bytes.", n, i+1, len(item))
				return
			}
			q.Done(item)
		}
		if leave {
			a.Note("added, took and finished %d items of 16 KiB; one more stays queued", n)
		} else {
			a.Note("added, took and finished %d items of 16 KiB", n)
		}
	})
	t.Join()
	return payloads
}

// keptWhere says what kind of place the queues keep items in: one that small items take when they go
// through the queue, one after the other or many at once, or one that they do not.
func keptWhere(t *conform.T, all []Subject, payloads []weak.Pointer[byte], alive int) string {
	passThrough(t, all, 100, 1)
	one := probe.Alive(payloads)
	if one <= alive/2 {
		return fmt.Sprintf("When one small item has gone 100 times through each queue, they keep %d: what kept the others was used again or replaced, as the array behind a slice is.", one)
	}
	passThrough(t, all, 4, 40)
	many := probe.Alive(payloads)
	if many <= alive/2 {
		return fmt.Sprintf("When one small item has gone 100 times through each queue, they still keep %d, and when 40 small items have been queued at once, %d: what kept the others is a place that a short queue does not use again, as a slot of a slice's array behind its end.", one, many)
	}
	return fmt.Sprintf("When one small item has gone 100 times through each queue, they still keep %d, and when 40 small items have been queued at once, %d. So it is no place that the next items take, as a slot of an array is: each has one of its own, as in a map.", one, many)
}

// passThrough lets small items through each queue, some at once and that several times.
func passThrough(t *conform.T, all []Subject, times, atOnce int) {
	for _, q := range all {
		for range times {
			for i := range atOnce {
				q.Add(fmt.Sprint("small ", i))
			}
			for range atOnce {
				item, _ := q.Get()
				q.Done(item)
			}
		}
	}
	t.Note("Add of %s, and as many times Get and Done: %d times with each queue", conform.Count(atOnce, "small item"), times)
}

// keepsNoPast lets very many small items through a queue that never runs empty, and requires
// that it is no larger afterwards: a slot kept for each would be a megabyte.
func keepsNoPast(t *conform.T, q Subject) {
	const rounds, limit = 1 << 16, 8 << 16
	small := []string{"small", "tiny"} // one stays queued while the other is worked on
	through := func(rounds int) {
		for i := range rounds {
			q.Add(small[i%2])
			item, shutdown := q.Get()
			t.Require(!shutdown, "An item is queued, and Get returned %q, true: it says that the queue is shut down and empty.", item)
			q.Done(item)
		}
		t.Note("Add, Get and Done %d times", rounds)
	}
	before := probe.Heap()
	through(rounds)
	if grown := probe.Growth(before, limit); grown >= limit {
		left := probe.Kept("labs/10-workqueue", func() { through(rounds) })
		t.Fatalf("The queue holds one item, and since %d others went through it, it has grown by %d bytes. Of another %d there are left: %s.",
			rounds, grown, rounds, cmp.Or(left, "nothing that your code has made"))
	}
}
