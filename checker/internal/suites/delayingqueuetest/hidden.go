package delayingqueuetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = slices.Concat(waiting, ending, crowded)

var waiting = []conform.Case[Subject]{
	{
		Name:   "in-order-of-moments",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "Items are added in the order of their moments, whatever the order of the calls.",
		Why:    "After an outage thousands of keys wait with back-offs between milliseconds and minutes; each is due when it is due.",
		Hint: []string{
			"Which item is due when the timer fires? What finds it without looking at all of them?",
			"container/heap with the earliest moment at index 0.",
		},
		Source: "client-go util/workqueue/delaying_queue_test.go: TestCopyShifting",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			var want []addition
			for i, seconds := range t.Rand().Perm(40) {
				item := string(rune('A' + i))
				v.addAfter(item, time.Duration(seconds+1)*time.Second)
				want = append(want, addition{item, time.Duration(seconds+1) * time.Second})
			}
			time.Sleep(time.Minute)
			slices.SortFunc(want, byMoment)
			require.Equal(t, want, u.soFar(), "Every item must be added at its own moment.")
			v.shutDown()
		},
	},
	{
		Name:   "a-sooner-item-is-not-late",
		Points: 6,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "An item that is due before all waiting ones is added at its moment, although the timer was set for another.",
		Why:    "A key that is due in a second must not wait until a key that is due in an hour wakes the loop.",
		Hint: []string{
			"Your goroutine sleeps until the earliest moment it knows of. How does it learn of an earlier one?",
			"AddAfter hands the item to the goroutine through a channel; each time round, set the timer to whatever is first now.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: waitingLoop; client-go util/workqueue/delaying_queue_test.go: TestAddTwoFireEarly",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			var want []addition
			for i, delay := range []time.Duration{5 * time.Hour, time.Hour, time.Minute, time.Second} {
				item := string(rune('a' + i))
				v.addAfter(item, delay)
				t.Wait() // the timer stands at this one now
				want = append([]addition{{item, delay}}, want...)
			}
			v.addAfter("a", time.Millisecond) // waits already
			want = append([]addition{{"a", time.Millisecond}}, want[:3]...)
			time.Sleep(10 * time.Hour)
			require.Equal(t, want, u.soFar(), "Every item must be added at its own moment, and the first one first.")
			v.shutDown()
		},
	},
	{
		Name:   "moved-forward-in-the-heap",
		Points: 6,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "An item whose moment moves forward gets its new place among all waiting items, and no other item loses its place.",
		Why:    "One key at the wrong place in the heap is not one key late: everything below it may be.",
		Hint: []string{
			"After you have changed an entry's moment, is your heap still a heap?",
			"heap.Fix(h, index) puts one entry right, if index is its place.",
			"Entries move whenever the heap does: Swap has to write both indices, Push the new one.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: insert, Swap; Go container/heap/heap.go: Fix (no test of upstream fails without either)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			moments := map[string]time.Duration{}
			set := func(item string, seconds int) {
				v.addAfter(item, time.Duration(seconds)*time.Second)
				t.Wait()
				moments[item] = time.Duration(seconds) * time.Second
			}
			for i := range 15 { // latest first: every push moves entries
				set(string(rune('a'+i)), 300-10*i)
			}
			for i, at := range []int{155, 151, 147, 143, 139, 135, 131} { // a to g: from the bottom to the top
				set(string(rune('a'+i)), at)
			}
			set("k", 100)
			set("a", 50)
			time.Sleep(time.Hour)
			var want []addition
			for item, at := range moments {
				want = append(want, addition{item, at})
			}
			slices.SortFunc(want, byMoment)
			require.Equal(t, want, u.soFar(), "Items were moved forward, and not every item was added at its own moment.")
			v.shutDown()
		},
	},
	{
		Name:   "counts-from-the-call",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "The delay is counted from the call of AddAfter, also while the queue underneath is slow.",
		Why:    "If the delay counted from the moment at which the loop has time for it, delays would add up under load, and a busy controller would fall further and further behind.",
		Hint: []string{
			"Where do you call time.Now: in AddAfter, or in the goroutine that receives?",
			"Send the moment, not the duration.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: AddAfter, readyAt (is computed by the caller)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			release := u.hold("slow")
			v.addAfter("slow", time.Second)
			time.Sleep(2 * time.Second)
			t.Go("producer 1", func(a *conform.Actor) { voice{v.queue, a}.addAfter("missed", time.Second) })
			t.Go("producer 2", func(a *conform.Actor) { voice{v.queue, a}.addAfter("to come", 10*time.Second) })
			time.Sleep(4 * time.Second) // 6 s
			release()
			time.Sleep(time.Minute)
			at := map[string]time.Duration{}
			for _, a := range u.soFar() {
				at[a.Item] = a.At
			}
			require.Len(t, at, 3, "Three items were delayed, and not all of them were added.")
			require.LessOrEqual(t, at["missed"], 6*time.Second, "An item whose moment passed while the queue underneath was slow was delayed further.")
			require.Equal(t, 12*time.Second, at["to come"], "A delay that began while the queue underneath was slow was not counted from the call.")
			v.shutDown()
		},
	},
	{
		Name:   "late-and-still-once",
		Points: 3,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "An item whose moment has passed before the queue could look at it is added once, and its later moment is dropped as ever.",
		Why:    "A short cut for what is late anyway leaves an entry behind, and an hour later there is a reconcile that nobody asked for.",
		Hint: []string{
			"Does every item take the same way through your map and your heap? Also one that is due already?",
		},
		Source: "the contract of this lab",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			v.addAfter("a", time.Hour)
			release := u.hold("slow")
			v.addAfter("slow", time.Second)
			time.Sleep(2 * time.Second)
			t.Go("producer", func(a *conform.Actor) { voice{v.queue, a}.addAfter("a", time.Second) })
			time.Sleep(4 * time.Second) // its moment passes while the queue underneath is slow
			release()
			time.Sleep(2 * time.Hour)
			added := slices.DeleteFunc(u.soFar(), func(a addition) bool { return a.Item == "slow" })
			require.Len(t, added, 1, "The moment of a waiting item passed while the queue underneath was slow, and the item was not added once.")
			require.LessOrEqual(t, added[0].At, 6*time.Second, "An item whose moment passed while the queue underneath was slow was delayed further.")
			v.shutDown()
		},
	},
	{
		Name:   "one-entry-one-timer",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "However often AddAfter is called for a waiting item, it costs one entry and one timer.",
		Why:    "client-go once made a timer in each round of its loop and stopped none: the memory of a waiting controller grew and grew.",
		Hint: []string{
			"How many timers exist after a thousand calls of AddAfter? What stops them?",
			"Make one timer when the goroutine starts, and Reset it.",
			"An item that is already waiting, with an earlier moment, needs nothing at all.",
		},
		Source: `kubernetes#83895; client-go util/workqueue/delaying_queue.go: waitingLoop, "nextReadyAtTimer.Stop()" (no test of upstream fails without it)`,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, _ := works(t, open())
			again := func(calls int) {
				for range calls {
					v.queue.AddAfter("a", 20*time.Hour)
					t.Wait() // so that the subject looks at each call by itself
				}
				t.Note("AddAfter(\"a\", 20h0m0s) %d times", calls)
			}
			v.addAfter("a", 10*time.Hour)
			again(1000)
			before := probe.Heap()
			again(20_000)
			// A timer, or an entry, is more than a hundred bytes: 2 MB if each call leaves one.
			grown := probe.Growth(before, 1<<20)
			require.Less(t, grown, int64(1<<20), "AddAfter was called 20000 times for one waiting item, and the memory grew by %d bytes.", grown)
			v.shutDown()
		},
	},
}

func byMoment(a, b addition) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Item, b.Item))
}

var ending = []conform.Case[Subject]{
	{
		Name:   "shutdown-releases-producers",
		Points: 6,
		Func:   "DelayingQueue.ShutDown",
		Rule:   "ShutDown makes every AddAfter that blocks return, and waits neither for them nor for an Add of the queue underneath.",
		Why:    "Event handlers call AddAfter. A handler that hangs gets no further event, the buffer in front of it grows, and the controller cannot stop.",
		Hint: []string{
			"The queue underneath is slow, and your channel is full. What receives from it after ShutDown?",
			"A select in AddAfter: send, or the channel that ShutDown closes.",
			"Do not close the channel that producers send on: a send on a closed channel panics. Close another one.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: AddAfter (unblock if ShutDown() is called; no test of upstream fails without it); kubernetes#97323",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := works(t, open())
			release := u.hold("slow")
			v.addAfter("slow", time.Second)
			time.Sleep(2 * time.Second)
			returned := make(chan struct{}, 4)
			for i := range cap(returned) {
				t.Go("producer", func(a *conform.Actor) {
					p := voice{v.queue, a}
					for j := range 600 {
						p.addAfter(string(rune(1000*(i+1)+j)), time.Hour)
					}
					returned <- struct{}{}
				})
			}
			t.Wait() // they are done, or wait for room
			v.shutDown()
			t.Wait()
			require.Len(t, returned, cap(returned), "The queue was shut down, and a call of AddAfter still blocks.")
			release()
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
		Source: "client-go util/workqueue/delaying_queue.go: ShutDown (may be invoked more than once; no test of upstream fails without the Once)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, first := range []func(voice){voice.shutDown, voice.drain} {
				v, _ := works(t, open())
				v.addAfter("a", time.Second)
				first(v)
				for range 3 {
					v.shutDown()
				}
				require.True(t, v.shuttingDown(), "ShuttingDown is false after ShutDown was called.")
			}
		},
	},
	{
		Name:   "shutdown-ends-the-loop",
		Points: 6,
		Func:   "DelayingQueue.ShutDown",
		Rule:   "After ShutDown, and within a minute of ShutDownWithDrain, no goroutine of the queue is left, whatever was waiting.",
		Why:    "Some operators start a controller for each custom resource. If each leaves a goroutine and a heap behind, the operator runs out of memory.",
		Hint: []string{
			"What besides a timer and an item can end the wait of your goroutine?",
			"A third case in the select: the channel that ShutDown closes.",
			"Does ShutDownWithDrain close it too?",
		},
		Source: "controller-runtime#649; client-go util/workqueue/delaying_queue.go: waitingLoop (no test of upstream fails without it)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stop := range []func(voice){voice.shutDown, voice.drain} {
				v, _ := start(t, open())
				stop(v) // with nothing waiting
				v, _ = works(t, open())
				v.addAfter("a", 1000*time.Hour)
				t.Wait()
				stop(v)
			}
		},
	},
	{
		Name:   "shutdown-drops-what-waits",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "After ShutDown or ShutDownWithDrain nothing that waited is added, and AddAfter does nothing and never blocks.",
		Why:    "A handler may still be running when its controller stops. All of its calls must be harmless.",
		Hint: []string{
			"What receives from your channel after the goroutine has ended? How many calls does it take until it is full?",
		},
		Source: "client-go util/workqueue/delaying_queue.go: AddAfter (don't add if we're already shutting down)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stop := range []func(voice){voice.shutDown, voice.drain} {
				v, u := works(t, open())
				v.addAfter("waits", time.Hour)
				t.Wait()
				began := t.Elapsed()
				stop(v)
				for range 1200 {
					v.addAfter("late", time.Second)
					v.addAfter("late", 0)
				}
				require.Equal(t, began, t.Elapsed(), "A shutdown with nothing to do, or an AddAfter after it, did not return at once.")
				time.Sleep(2 * time.Hour)
				require.Len(t, u.soFar(), 1, "An item was added after the queue was shut down.")
			}
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
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, _ := works(t, open())
			v.add("a")
			v.get()
			drained := drain(t, v)
			require.False(t, probe.Closed(drained), "ShutDownWithDrain returned while an item was being processed.")
			require.True(t, v.shuttingDown(), "ShuttingDown is false while ShutDownWithDrain is under way.")
			v.done("a")
			t.Wait()
			require.True(t, probe.Closed(drained), "The last item is done and ShutDownWithDrain has not returned.")
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
		Source: "client-go util/workqueue/queue_test.go: TestForceQueueShutdownUsingShutDown (through the delaying queue)",
		Check: func(t *conform.T, open func() Subject) {
			// Outside a bubble, which cannot see a goroutine that waits for a lock.
			v, _ := start(t, open())
			v.addAfter("hangs", time.Millisecond)
			v.get()
			drained := drain(t, v)
			assert.False(t, probe.Closed(drained), "ShutDownWithDrain returned while an item was being processed.")
			v.shutDown()
			<-drained
			v.done("hangs")
		},
	},
}

// drain calls ShutDownWithDrain on a goroutine of its own and returns, when it
// waits or has returned, a channel that is closed by its return.
func drain(t *conform.T, v voice) <-chan struct{} {
	returned := make(chan struct{})
	t.Go("drainer", func(a *conform.Actor) {
		voice{v.queue, a}.drain()
		close(returned)
	})
	t.Wait()
	return returned
}
