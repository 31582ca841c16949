package workqueuetest

import (
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "first-in-first-out",
		Points: 4,
		Func:   "Queue.Get",
		Rule:   "Items are handed out in the order in which they were added.",
		Why:    "An object that changed first has waited longest; with any other order a busy cluster could leave it waiting for ever.",
		Hint: []string{
			"At which end do you put items in, and from which do you take them out?",
			"A slice: append at the tail, take from the front.",
		},
		Source: `client-go util/workqueue/doc.go: "Fair"; client-go util/workqueue/queue.go: DefaultQueue`,
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			v.add("a")
			v.add("b")
			v.add("c")
			v.expect(t, "a")
			v.add("d") // between two Gets
			v.expect(t, "b")
			v.expect(t, "c")
			v.expect(t, "d")
			v.shutDown()
		},
	},
	{
		Name:   "added-twice-queued-once",
		Points: 4,
		Func:   "Queue.Add",
		Rule:   "An item that is already queued is not queued again, and keeps its place.",
		Why:    "A pod that changes fifty times before a worker is free needs one look at its state, not fifty.",
		Hint: []string{
			"How do you know, without looking through the whole queue, that an item is in it?",
			"Keep a set of the items that need work: the dirty set. Add does nothing if the item is in it.",
			"When does an item leave that set? When Get hands it out, or nobody could ever add it again.",
		},
		Source: `client-go util/workqueue/doc.go: "Stingy"; client-go util/workqueue/queue.go: Typed.Add`,
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			for range 3 {
				v.add("a")
				v.add("b")
				v.add("a")
				require.Equal(t, 2, v.len(), "An item that was queued already was queued once more, or was lost.")
				v.expect(t, "a")
				v.done("a")
				v.expect(t, "b")
				v.done("b")
				require.Zero(t, v.len(), "Both items are done and the queue is not empty.")
			}
			v.shutDown()
		},
	},
	{
		Name:   "add-while-processing-waits",
		Points: 5,
		Func:   "Queue.Add",
		Rule:   "An item that is added while it is being processed is not handed out before its Done.",
		Why:    "Two workers on one object would both read three replicas, both create a fourth, and make five.",
		Hint: []string{
			"Which items do workers hold right now? What in your queue knows that?",
			"Keep a second set: the items that Get has handed out and Done has not returned. Add may mark such an item, but not queue it.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Add (returns when processing has the item)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			v.add("a")
			v.expect(t, "a")
			v.add("a")
			require.Zero(t, v.len(), "An item was queued while a worker held it: a second worker could take it.")
			second := park(t, v.queue, "second worker", 1)
			t.Wait()
			require.Empty(t, second, "An item was handed to a second worker before the first had called Done.")
			v.done("a")
			t.Wait()
			require.Len(t, second, 1, "An item was added while it was processed, and Done did not hand it to the waiting worker.")
			require.Equal(t, taken{"a", false}, <-second, "Get did not return the item that was added while it was processed.")
			v.done("a")
			v.shutDown()
		},
	},
	{
		Name:   "many-adds-one-requeue",
		Points: 5,
		Func:   "Queue.Done",
		Rule:   "However often an item is added while it is being processed, Done queues it exactly once; and not at all if it was not added.",
		Why:    "The first of these Adds says that the worker's view is old; the other ninety-nine say nothing new.",
		Hint: []string{
			"What must Done check before it queues anything?",
			"Get takes the item out of the dirty set; an Add meanwhile puts it back in; Done queues it if it is there.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Done; client-go util/workqueue/queue_test.go: TestReinsert",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			v.add("a")
			for _, adds := range []int{1, 5, 2} {
				v.expect(t, "a")
				for range adds {
					v.add("a")
				}
				v.done("a")
				require.Equal(t, 1, v.len(), "An item that was added while it was processed must be queued once by its Done.")
			}
			v.expect(t, "a")
			v.done("a")
			require.Zero(t, v.len(), "Done queued an item that nobody had added since Get handed it out.")
			v.shutDown()
		},
	},
	{
		Name:   "len-counts-the-queued",
		Points: 4,
		Func:   "Queue.Len",
		Rule:   "Len counts what is queued, and neither what is being processed nor what is dirty.",
		Why:    "The depth of the queue is the first number on a controller's dashboard: it says how far behind the workers are.",
		Hint: []string{
			"Of your three collections, which one holds exactly what the next Gets will return?",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Len; client-go util/workqueue/queue_test.go: TestLen",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			require.Zero(t, v.len(), "A new queue is not empty.")
			v.add("a")
			v.add("b")
			v.add("c")
			require.Equal(t, 3, v.len(), "Three items were added and Len is not 3.")
			v.expect(t, "a")
			require.Equal(t, 2, v.len(), "Len counts an item that a worker holds.")
			v.add("a")
			require.Equal(t, 2, v.len(), "Len counts an item that is only marked dirty.")
			v.done("a")
			require.Equal(t, 3, v.len(), "Len does not count an item that Done has queued again.")
			v.shutDown()
			require.Equal(t, 3, v.len(), "Len does not count what is still queued after ShutDown.")
		},
	},
	{
		Name:   "shutdown-keeps-the-backlog",
		Points: 5,
		Func:   "Queue.ShutDown",
		Rule:   "After ShutDown every Add is ignored, Get hands out what is queued and then says shutdown, and ShutDown itself waits for no worker.",
		Why:    "A controller that stops finishes what it has accepted, accepts nothing new, and its workers learn that they may end.",
		Hint: []string{
			"Does Get check the queue or the shutdown flag first?",
			"Get says shutdown only when nothing is queued. Add checks the flag before anything else, so it does not mark items dirty either.",
			"In this case the worker itself calls ShutDown. Which worker would your ShutDown wait for?",
		},
		Source: "client-go util/workqueue/queue.go: Typed.ShutDown; kubernetes#97323, where a worker and the shutdown waited for each other",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			v.add("a")
			v.add("b")
			v.add("c")
			v.expect(t, "a")
			require.False(t, v.shuttingDown(), "ShuttingDown is true before ShutDown was called.")
			v.shutDown() // by the worker that holds "a"
			require.True(t, v.shuttingDown(), "ShuttingDown is false after ShutDown was called.")
			v.add("late")
			v.add("a") // held: must not become dirty
			require.Equal(t, 2, v.len(), "After ShutDown the queue must hold what it held before: no Add counts, and nothing is dropped.")
			v.done("a")
			v.expect(t, "b")
			v.shutDown() // once more: nothing changes
			v.done("b")
			v.expect(t, "c")
			v.done("c")
			for range 2 {
				item, shutdown := v.get()
				require.True(t, shutdown, "The queue is shut down and empty, and Get did not say so.")
				require.Empty(t, item, "Get said shutdown and returned an item beside it.")
			}
		},
	},
}

// expect takes an item and requires that it is want.
func (v voice) expect(t *conform.T, want string) {
	item, shutdown := v.get()
	require.False(t, shutdown, "Get said shutdown although an item was queued.")
	require.Equal(t, want, item, "Get returned another item than the one at the head of the queue.")
}

// taken is what one Get returned.
type taken struct {
	item     string
	shutdown bool
}

// park starts n goroutines that each call Get once, and returns what they got. It
// returns when all of them wait, or have returned.
func park(t *conform.T, q Subject, who string, n int) <-chan taken {
	got := make(chan taken, n)
	for range n {
		t.Go(who, func(a *conform.Actor) {
			item, shutdown := voice{q, a}.get()
			got <- taken{item, shutdown}
		})
	}
	t.Wait()
	return got
}
