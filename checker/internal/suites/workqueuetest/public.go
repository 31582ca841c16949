package workqueuetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
)

var public = []conform.Case[Subject]{
	{
		Name:   "first-in-first-out",
		Points: 4,
		Func:   "Queue.Get",
		Look:   []string{"Queue.Add", "Queue.Get"},
		Rule:   "Items are handed out in the order in which they were added.",
		Why:    "An object that changed first has waited longest; with any other order a busy cluster could leave it waiting for ever.",
		Hint: []string{
			"At which end do you put items in, and from which do you take them out?",
			"A slice: append at the tail, take from the front.",
		},
		Source:   `client-go util/workqueue/doc.go: "Fair"; client-go util/workqueue/queue.go: DefaultQueue`,
		Contract: []string{"An item that is not known to the queue is put at its tail", "Get takes the item at the head of the queue"},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			q.Add("a")
			q.Add("b")
			q.Add("") // an item like any other
			q.Expect(t, "a")
			q.Add("d") // between two Gets
			q.Expect(t, "b")
			q.Expect(t, "")
			q.Expect(t, "d")
			q.ShutDown()
			inOrderInWaves(t, open())
		},
	},
	{
		Name:   "added-twice-queued-once",
		Points: 4,
		Func:   "Queue.Add",
		Look:   []string{"Queue.Add", "Queue.Get"},
		Rule:   "An item that is already queued is not queued again, and keeps its place.",
		Why:    "A pod that changes fifty times before a worker is free needs one look at its state, not fifty.",
		Hint: []string{
			"How do you know, without looking through the whole queue, that an item is in it?",
			"Keep a set of the items that need work: the dirty set. Add does nothing if the item is in it.",
			"When does an item leave that set? When Get hands it out, or nobody could ever add it again.",
		},
		Source:   `client-go util/workqueue/doc.go: "Stingy"; client-go util/workqueue/queue.go: Typed.Add`,
		Contract: []string{"An item that is queued already stays where it stands", "An item is queued from Add, or from the Done that queues it again, until Get hands it out"},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			for range 3 {
				addedTwice(t, q)
			}
			q.ShutDown()
		},
	},
	{
		Name:   "add-while-processing-waits",
		Points: 5,
		Func:   "Queue.Add",
		Look:   []string{"Queue.Add", "Queue.Get", "Queue.Done"},
		Rule:   "An item that is added while it is being processed is not handed out before its Done.",
		Why:    "Two workers on one object would both read three replicas, both create a fourth, and make five.",
		Hint: []string{
			"Which items do workers hold right now? What in your queue knows that?",
			"Keep a second set: the items that Get has handed out and Done has not returned. Add may mark such an item, but not queue it.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Add (returns when processing has the item)",
		Contract: []string{
			"An item that is being processed is only marked dirty: it is not queued before its Done",
			"If item is dirty it is put at the tail of the queue",
			"one goroutine that waits in Get is woken",
			"When an item is queued, one waiting Get goes on at that moment",
			"While nothing is queued Get waits",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			q.Add("a")
			q.Expect(t, "a")
			q.Add("a")
			q.Holds(t, 0, "a worker holds the only item, which was added meanwhile")
			second := park(t, q, "second worker", 1)
			for _, got := range cameBack(t, second) {
				t.Require(got.item != "a", "\"a\" was handed to a second worker before the first had called Done.")
				t.Fatalf("Get returned %v to a second worker, as if that were an item to work on. Only \"a\" was ever added, and the first worker holds it: nothing is queued, and while nothing is queued Get waits.", got)
			}
			q.Done("a")
			t.Wait()
			t.Require(len(second) == 1, "\"a\" was added while it was processed, and at the moment of its Done the worker that waits in Get did not go on.")
			got := <-second
			t.Require(got == taken{"a", false}, "\"a\" was added while it was processed, and is done: Get should have returned \"a\", false, and returned %v.", got)
			q.Done("a")
			q.Holds(t, 0, "the second worker is done with the only item, and nobody has added it since that worker got it")
			heldForAnHour(t, q)
			addedWhileOneWaits(t, q)
			q.ShutDown()
		},
	},
	{
		Name:   "many-adds-one-requeue",
		Points: 5,
		Func:   "Queue.Done",
		Look:   []string{"Queue.Add", "Queue.Get", "Queue.Done"},
		Rule:   "However often an item is added while it is being processed, Done queues it exactly once; and not at all if it was not added.",
		Why:    "The first of these Adds says that the worker's view is old; the other ninety-nine say nothing new.",
		Hint: []string{
			"What must Done check before it queues anything?",
			"Get takes the item out of the dirty set; an Add meanwhile puts it back in; Done queues it if it is there.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Done; client-go util/workqueue/queue_test.go: TestReinsert",
		Contract: []string{
			"If item is dirty it is put at the tail of the queue, once, however often it was added meanwhile",
			"An item that is added while it is being processed is dirty",
			"Any value of T may be an item, its zero value too",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			queue := open()
			q := queues.Calling(t.Actor, queue)
			q.Add("a")
			for _, adds := range []int{1, 5, 2, 256, 1 << 16} {
				q.Expect(t, "a")
				q.Do(func() {
					for range adds {
						queue.Add("a")
					}
				}, "Add(\"a\"), %d times", adds)
				q.Done("a")
				q.Holds(t, 1, fmt.Sprintf("an item was added %s while it was processed, and is done", conform.Count(adds, "time")))
			}
			q.Expect(t, "a")
			q.Done("a")
			q.Holds(t, 0, "an item is done, and nobody has added it since Get handed it out")
			for range 2 { // the zero value is an item like any other
				q.Add("")
				q.Holds(t, 1, "\"\" was added, and no worker held it")
				q.Expect(t, "")
				q.Done("")
			}
			q.ShutDown()
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
		Contract: []string{
			"Len is how many items are queued. Items that are being processed do not count, dirty or not",
			"What is queued when the queue is shut down is still handed out",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			q.Holds(t, 0, "the queue is new")
			q.Add("a")
			q.Add("b")
			q.Add("c")
			q.Holds(t, 3, "three items were added")
			q.Expect(t, "a")
			q.Holds(t, 2, "a worker holds one of three items")
			q.Add("a")
			q.Holds(t, 2, "the item that a worker holds was added, and is only marked dirty")
			q.Done("a")
			q.Holds(t, 3, "Done has queued the dirty item")
			q.ShutDown()
			q.Holds(t, 3, "ShutDown drops nothing")
		},
	},
	{
		Name:   "shutdown-keeps-the-backlog",
		Points: 5,
		Func:   "Queue.ShutDown",
		Look:   []string{"Queue.Add", "Queue.Get"},
		Rule:   "After ShutDown every Add is ignored, Get hands out what is queued and then says shutdown, and ShutDown itself waits for no worker.",
		Why:    "A controller that stops finishes what it has accepted, accepts nothing new, and its workers learn that they may end.",
		Hint: []string{
			"Does Get check the queue or the shutdown flag first?",
			"Get says shutdown only when nothing is queued. Add checks the flag before anything else, so it does not mark items dirty either.",
			"In this case the worker itself calls ShutDown. Which worker would your ShutDown wait for?",
		},
		Source: "client-go util/workqueue/queue.go: Typed.ShutDown; kubernetes#97323, where a worker and the shutdown waited for each other",
		Contract: []string{
			"Once ShutDown or ShutDownWithDrain has been called, Add does nothing",
			"returns the zero value and true: the worker that called it should end. What is queued when the queue is shut down is still handed out",
			"It waits for no worker, and it may be called by a worker, more than once",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			q.Add("a")
			q.Add("b")
			q.Add("c")
			q.Expect(t, "a")
			t.Require(!q.ShuttingDown(), "ShuttingDown is true before ShutDown was called.")
			q.ShutDown() // by the worker that holds "a"
			t.Require(q.ShuttingDown(), "ShuttingDown is false after ShutDown was called.")
			q.Add("late")
			q.Add("a") // held: must not become dirty
			q.Holds(t, 2, "after ShutDown no Add counts, and nothing is dropped")
			q.Done("a")
			q.Expect(t, "b")
			q.ShutDown() // once more: nothing changes
			q.Done("b")
			q.Expect(t, "c")
			q.Done("c")
			for range 2 {
				item, shutdown := q.Get()
				t.Require(shutdown, "After ShutDown \"a\" was added while it was being processed, and \"late\", which no worker held: no Add counts then. All that was queued before has been handed out and is done, so the queue is shut down and empty, and Get returned %q as an item to work on.", item)
				t.Require(item == "", "Get says that the queue is shut down, and returned %q in place of the zero value.", item)
			}
		},
	},
}

// inOrderInWaves has a queue grow, stay as long as it is and shrink, several times and to different
// lengths. It adds and takes all the time: whatever holds the items has given some away whenever it
// needs more room, or less.
func inOrderInWaves(t *conform.T, queue Subject) {
	t.Note("another queue")
	added, took := 0, 0
	add := func() {
		queue.Add(fmt.Sprint(added))
		added++
	}
	take := func() {
		item, shutdown := queue.Get()
		t.Require(!shutdown, "The items \"0\", \"1\", \"2\" and so on were added, and some taken in between. Get number %d says that the queue is shut down, and nobody has shut it down; %d were added by then.", took+1, added)
		t.Require(item == fmt.Sprint(took), "The items \"0\", \"1\", \"2\" and so on were added, and some taken in between. Get number %d should have returned \"%d\", and returned %q; %d were added by then.", took+1, took, item, added)
		queue.Done(item)
		took++
	}
	for _, length := range []int{300, 90, 1500, 700} {
		t.Note("two Adds and one Get, until %d are queued; then Add and Get; then one Add and two Gets", length)
		for added-took < length {
			add()
			add()
			take()
		}
		for range length {
			add()
			take()
		}
		for added-took > length/8 {
			add()
			take()
			take()
		}
	}
	for queued := queue.Len(); queued > 0; queued-- {
		take()
	}
	t.Require(took == added, "%d items were added to a queue, and when it was empty it had handed out %d.", added, took)
	queue.ShutDown()
}

// addedTwice adds a, b and a again to an empty queue, and takes all that it holds.
func addedTwice(t *conform.T, q queues.Client) {
	var lens []int
	for _, item := range []string{"a", "b", "a"} {
		q.Add(item)
		lens = append(lens, q.Len())
	}
	said := fmt.Sprintf("Len said %d, %d and %d after Add(a), Add(b) and a second Add(a)", lens[0], lens[1], lens[2])
	var handed []string
	for len(handed) < 2 || len(handed) < 4 && q.Len() > 0 {
		item, shutdown := q.Get()
		t.Require(!shutdown, "Get says that the queue is shut down and empty. %s.", said)
		handed = append(handed, item)
		q.Done(item)
	}
	order := strings.Join(handed, ", ")
	t.Require(order == "a, b" || lens[2] == 2, "%s, and Get handed out %s. An item that is queued already is not queued again: that should be 1, 2 and 2, and a, b.", said, order)
	t.Require(order == "a, b", "%s, which is right, and then Get handed out %s: that should be a, b. Nobody has added anything after the first Get.", said, order)
	t.Require(slices.Equal(lens, []int{1, 2, 2}), "%s, and Get handed out a, b, which is right. Len should have said 1, 2 and 2.", said)
}

// heldForAnHour has a worker hold an item for long: it is the worker's all the same.
func heldForAnHour(t *conform.T, q queues.Client) {
	q.Add("a")
	q.Expect(t, "a")
	t.Note("an hour passes")
	time.Sleep(time.Hour)
	q.Add("a")
	q.Holds(t, 0, "the only item was added now, and a worker has held it for an hour: it is not queued before its Done, however long that takes")
	q.Done("a")
	q.Holds(t, 1, "the only item was added while a worker held it, and is done")
	q.Expect(t, "a")
	q.Done("a")
}

// addedWhileOneWaits has a second worker wait in Get when the item that the first holds is added.
func addedWhileOneWaits(t *conform.T, q queues.Client) {
	q.Add("a")
	q.Expect(t, "a")
	second := park(t, q, "second worker", 1)
	q.Add("a")
	t.Wait()
	for _, got := range cameBack(t, second) {
		t.Fatalf("A worker held \"a\" and another waited in Get when \"a\" was added. Get returned %v to the other before the first had called Done: the item is only marked dirty.", got)
	}
	q.Done("a")
	t.Wait()
	t.Require(len(second) == 1, "\"a\" was added while it was processed and another worker waited in Get. At the moment of its Done the other worker did not go on.")
	got := <-second
	t.Require(got == taken{"a", false}, "\"a\" was added while it was processed, and is done: Get should have returned \"a\", false, and returned %v.", got)
	q.Done("a")
}

// taken is what one Get returned.
type taken struct {
	item     string
	shutdown bool
}

// String is a taken as messages have it.
func (g taken) String() string { return fmt.Sprintf("%q, %t", g.item, g.shutdown) }

// listed is what several Gets returned, as messages have it.
func listed(all []taken) string {
	var each []string
	for _, g := range all {
		each = append(each, g.String())
	}
	return strings.Join(each, "; ")
}

// park starts n goroutines that each call Get once, and returns what they got. It
// returns when all of them wait, or have returned.
func park(t *conform.T, q queues.Client, who string, n int) <-chan taken {
	got := make(chan taken, n)
	for range n {
		t.Go(who, func(a *conform.Actor) {
			item, shutdown := q.As(a).Get()
			got <- taken{item, shutdown}
		})
	}
	t.Wait()
	return got
}

// cameBack is what Gets have returned so far, in a queue that nobody has shut down: none may say
// that it is.
func cameBack(t *conform.T, got <-chan taken) []taken {
	var all []taken
	for range len(got) {
		g := <-got
		t.Require(!g.shutdown, "Get returned %v, which says that the queue is shut down, and nobody has shut it down. While nothing is queued Get waits.", g)
		all = append(all, g)
	}
	return all
}
