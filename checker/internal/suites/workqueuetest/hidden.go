package workqueuetest

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = slices.Concat(waking, draining, shared)

var waking = []conform.Case[Subject]{
	{
		Name:   "requeue-goes-to-the-tail",
		Points: 4,
		Func:   "Queue.Done",
		Rule:   "An item that Done queues again goes to the tail, behind everything that was queued meanwhile.",
		Why:    "An object that changes all the time must not keep all others from their turn.",
		Hint: []string{
			"Where does Done put a dirty item? Who else is waiting there?",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Done, queue.Push",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			v.add("busy")
			v.add("b")
			v.expect(t, "busy")
			v.add("busy")
			v.add("c") // after busy was added, before it is queued
			v.done("busy")
			v.expect(t, "b")
			v.expect(t, "c")
			v.expect(t, "busy")
			v.shutDown()
		},
	},
	{
		Name:   "add-waits-for-nobody",
		Points: 3,
		Func:   "Queue.Add",
		Rule:   "Add waits for no worker: while nobody takes items, the queue holds as many as are added.",
		Why:    "Add is called by event handlers. A handler that waits for a worker gets no further event, and the buffer in front of it grows.",
		Hint: []string{
			"Does anything in your queue have a fixed size?",
			"A buffered channel has; a slice grows.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Add, DefaultQueue",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 3000
			v := voice{open(), t.Actor}
			for i := range n {
				v.queue.Add(fmt.Sprint(i))
			}
			t.Note("Add of %d items", n)
			require.Equal(t, n, v.len(), "The queue does not hold every item that was added.")
			for i := range n {
				item, _ := v.queue.Get()
				require.Equal(t, fmt.Sprint(i), item, "Get returned another item than the one at the head of the queue.")
				v.queue.Done(item)
			}
			v.shutDown()
		},
	},
	{
		Name:   "each-item-wakes-a-getter",
		Points: 6,
		Func:   "Queue.Get",
		Rule:   "Every item that is queued, by Add or by Done, lets exactly one goroutine that waits in Get go on.",
		Why:    "After a lost wake-up no worker acts on the change until the next one comes, if one does.",
		Hint: []string{
			"What wakes a goroutine that sleeps in Get when there is something to do? Does every way into the queue do it?",
			"Signal after every push, in Add and in Done.",
			"A goroutine that wakes up may find the queue empty: another was quicker. It has to check again and wait again, in a loop around Wait.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Add, Typed.Done (cond.Signal); Go sync/cond.go: Cond.Wait (no test of upstream fails without the Signal in Add)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			for _, atOnce := range []bool{false, true} {
				got := park(t, v.queue, "worker", 6)
				require.Empty(t, got, "Get returned although nothing was queued.")
				for i := range 6 {
					v.add(string(rune('a' + i)))
					if !atOnce {
						t.Wait()
						require.Len(t, got, i+1, "One item was added while goroutines waited in Get, and not exactly one of them went on.")
					}
				}
				t.Wait()
				require.Len(t, got, 6, "Six items were added while six goroutines waited in Get, and not all of them went on.")
				doneAll(t, v, got)
			}
			v.add("a")
			v.expect(t, "a")
			got := park(t, v.queue, "worker", 2)
			v.add("a")
			v.done("a")
			t.Wait()
			require.Len(t, got, 1, "Done queued a dirty item again while goroutines waited in Get, and not exactly one of them went on.")
			v.done("a")
			v.shutDown()
		},
	},
	{
		Name:   "get-waits-asleep",
		Points: 5,
		Func:   "Queue.Get",
		Rule:   "A waiting goroutine sleeps, and goes on at the moment at which there is a reason to.",
		Why:    "A cluster is quiet most of the time. Forty controllers with five workers each that all check their queues a thousand times a second waste two cores.",
		Hint: []string{
			"What does a goroutine do in your Get while the queue is empty? How often?",
			"No time.Sleep and no loop that locks and unlocks: sync.Cond.Wait sleeps until somebody calls Signal or Broadcast.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Get (cond.Wait; no test of upstream fails for a busy-wait)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			got := park(t, v.queue, "worker", 2)
			time.Sleep(odd) // virtual: it ends only if everybody else is asleep
			v.add("a")
			t.Wait()
			require.Len(t, got, 1, "An item was added and Get did not return at once: does it check the queue only from time to time?")
			drained := drain(t, v.queue)
			require.Len(t, got, 2, "The queue was shut down and Get did not return at once.")
			time.Sleep(odd)
			v.done("a")
			t.Wait()
			require.True(t, probe.Closed(drained), "The last item was done and ShutDownWithDrain did not return at once.")
		},
	},
	{
		Name:   "shutdown-wakes-every-getter",
		Points: 5,
		Func:   "Queue.ShutDown",
		Rule:   "ShutDown and ShutDownWithDrain wake every goroutine that waits in Get, and each Get says that the queue is shut down.",
		Why:    "A manager waits for all workers before it gives up its lease. A worker that sleeps on keeps the next leader waiting until the lease runs out.",
		Hint: []string{
			"How many goroutines does Signal wake?",
			"Broadcast: nothing will come later that could wake the others.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.ShutDown (cond.Broadcast; no test of upstream fails if it is a Signal)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stop := range []func(voice){voice.shutDown, voice.drain} {
				v := voice{open(), t.Actor}
				got := park(t, v.queue, "worker", 6)
				require.Empty(t, got, "Get returned although nothing was queued.")
				stop(v)
				t.Wait()
				require.Len(t, got, 6, "The queue was shut down and not every goroutine that waited in Get went on.")
				for range 6 {
					require.Equal(t, taken{"", true}, <-got, "The queue is shut down and empty, and Get returned something other than the zero value and true.")
				}
			}
		},
	},
	{
		Name:   "forgets-what-is-done",
		Points: 5,
		Func:   "Queue.Done",
		Rule:   "The queue keeps no memory of an item that is neither queued nor being processed.",
		Why:    "A controller runs for months. client-go's queue once kept items alive that it had handed out long ago; one program held more than 2 GB that way.",
		Hint: []string{
			"After items = items[1:], where is the first item? Can the garbage collector see that you will not look at it?",
			"Set the slot to the zero value before you step over it: var zero T.",
			"And does every set release the item too?",
		},
		Source: "kubernetes#104991; client-go util/workqueue/queue.go: queue.Pop; client-go util/workqueue/queue_test.go: TestGarbageCollection",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var queues []voice
			var payloads []weak.Pointer[byte]
			for i := range 32 {
				v := voice{open(), t.Actor}
				payloads = append(payloads, workThrough(t, v, 4, i%2 == 0)...)
				queues = append(queues, v)
			}
			// A goroutine that was preempted may keep a stray pointer or two alive. A
			// mistake keeps one or more in every second queue.
			alive := probe.Alive(payloads)
			require.LessOrEqual(t, alive, 4, "All items are done, and 32 queues still keep %d of %d in memory.", alive, len(payloads))
			keepsNoPast(t, queues[0])
			for _, v := range queues {
				v.queue.ShutDown()
			}
		},
	},
	{
		Name:   "shutdown-ends-its-goroutines",
		Points: 3,
		Func:   "Queue.ShutDown",
		Rule:   "When ShutDown or ShutDownWithDrain has returned, no goroutine that the queue started is left waiting for anything.",
		Why:    "Tests and short-lived controllers make thousands of queues; if each has a goroutine that ends 'soon', it writes metrics and logs for a queue that is gone.",
		Hint: []string{
			"Does New start a goroutine? What waits for its end?",
			"A queue of this kind needs none. If you want one, close a channel in ShutDown and wait for a WaitGroup.",
		},
		Source: "kubernetes#135072; client-go util/workqueue/queue.go: Typed.ShutDown (wg.Wait; no test of upstream fails without it)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stop := range []func(voice){voice.shutDown, voice.drain} {
				v := voice{open(), t.Actor}
				v.add("a")
				v.expect(t, "a")
				v.done("a")
				time.Sleep(odd)
				stop(v)
				require.Zero(t, t.Waiting(), "The queue was shut down, and a goroutine that it had started is still there.")
			}
		},
	},
}

// odd is a span of virtual time that no polling interval hits.
const odd = 1_234_567 * time.Nanosecond

// doneAll takes what the parked goroutines got and calls Done for each, once.
func doneAll(t *conform.T, v voice, got <-chan taken) {
	seen := map[string]bool{}
	for range cap(got) {
		item := <-got
		require.False(t, item.shutdown, "Get said shutdown although nobody had shut the queue down.")
		assert.False(t, seen[item.item], "One item was handed to two goroutines.")
		seen[item.item] = true
		v.done(item.item)
	}
}

// workThrough queues n large items at once, takes and finishes them all, and
// returns weak pointers to their bytes. It can leave a small item queued behind them. It
// works on a goroutine of its own, so that no stack is left that could hold on to an item.
func workThrough(t *conform.T, v voice, n int, leave bool) []weak.Pointer[byte] {
	payloads := make([]weak.Pointer[byte], n)
	t.Go("worker", func(a *conform.Actor) {
		for i := range n {
			item := fmt.Sprintf("%03d", i) + strings.Repeat(".", 16<<10)
			payloads[i] = weak.Make(unsafe.StringData(item))
			v.queue.Add(item)
		}
		a.Note("added %d items of 16 KiB", n)
		if leave {
			v.queue.Add("stays")
			a.Note("added one more, that stays")
		}
		for range n {
			item, _ := v.queue.Get()
			if len(item) < 16<<10 {
				t.Errorf("Get did not hand out an item that was added.")
				return
			}
			v.queue.Done(item)
		}
		a.Note("took and finished the large ones")
	})
	t.Join()
	return payloads
}

// keepsNoPast lets very many small items through a queue that never runs empty, and requires
// that it is no larger afterwards: a slot kept for each would be a megabyte.
func keepsNoPast(t *conform.T, v voice) {
	const rounds = 1 << 16
	before := probe.Heap()
	for range rounds {
		v.queue.Add("small")
		item, _ := v.queue.Get()
		v.queue.Done(item)
	}
	t.Note("Add, Get and Done %d times", rounds)
	grown := probe.Growth(before, rounds*8)
	require.Less(t, grown, int64(rounds*8), "The queue holds one item, and has grown by %d bytes since %d others went through it.", grown, rounds)
}
