package workqueuetest

import (
	"cmp"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// startsSmall requires that a queue has no room for very many items before they are added, and returns
// how many bytes a new one takes. What makes very many queues at once asks for it first.
func startsSmall[Q interface{ ShutDown() }](t *conform.T, open func() Q, kind string) int64 {
	const n, limit = 16, 512 << 10
	var all []Q
	openAll := func() {
		for range n {
			all = append(all, open())
		}
	}
	before := probe.Heap()
	openAll()
	grown := probe.Growth(before, n*limit)
	if grown >= n*limit {
		left := probe.Kept("labs/10-workqueue", openAll)
		t.Fatalf("%d new queues %s take %d bytes, %d each. A new queue is small, less than half a megabyte: its room grows with what is added. Of another %d there are left: %s.",
			n, kind, grown, grown/n, n, cmp.Or(left, "nothing that your code has made"))
	}
	for _, queue := range all {
		queue.ShutDown()
	}
	return grown / n
}

// crowded is how many queues a round of inCrowds has, if they are small enough. A goroutine that yields
// waits for those of all the others, and with so many that is long: a lock that it holds meanwhile has a line
// in front of it, and a sync.Mutex is then handed from one to the next at each Unlock. So calls meet right
// behind their critical sections, too.
const crowded = 1024

// inCrowds makes calls with very many queues at once, each call on a goroutine of its own. The plan of a
// queue says which calls these are, and looks at the queue when all of them have come to rest. What
// says it for the history.
func inCrowds(t *conform.T, open func() Subject, rounds int, what string, plan func(queue Subject) (calls []func(), atRest func())) {
	const room = 64 << 20 // in bytes, for the new queues of a round
	call := t.Call("%s: with very many queues", what)
	size := max(1, startsSmall(t, open, "for values of type string"))
	for range rounds {
		var looks []func()
		for range min(crowded, room/size) {
			queue := open()
			calls, atRest := plan(queue)
			for _, f := range calls {
				go f()
			}
			looks = append(looks, func() {
				atRest()
				queue.ShutDown()
			})
		}
		t.Wait()
		for _, look := range looks {
			look()
		}
		t.Wait()
	}
	call.Returned("")
}

// oneAddOneGet adds an item while one goroutine comes to Get.
func oneAddOneGet(t *conform.T, open func() Subject) {
	inCrowds(t, open, 8, "Add(\"a\") while a goroutine comes to Get", func(queue Subject) (calls []func(), atRest func()) {
		get := func() { _, _ = queue.Get() }
		add := func() { queue.Add("a") }
		return []func(){add, get}, func() {
			n := queue.Len()
			t.Require(n == 0, "One item was added while one goroutine came to Get. It still waits there, and Len is %d. In most of many queues it does not: this is about a moment at which a wake-up can get lost, between the look at the queue and the wait.", n)
		}
	})
}

// twoAddsTwoGets adds two items while two goroutines come to Get, and another adds what has no effect: a
// goroutine that has looked at the empty queue and does not wait yet needs its wake-up, too.
func twoAddsTwoGets(t *conform.T, open func() Subject) {
	inCrowds(t, open, 10, "Add(\"a\") and Add(\"b\") while 2 goroutines come to Get, and Add of an item that is dirty already", func(queue Subject) (calls []func(), atRest func()) {
		queue.Add("held")
		_, _ = queue.Get()
		queue.Add("held")
		nothingNew := func() {
			for range 3 {
				queue.Add("held")
			}
		}
		get := func() { _, _ = queue.Get() }
		add := func(item string) func() { return func() { queue.Add(item) } }
		return []func(){nothingNew, get, get, add("a"), add("b")}, func() {
			n := queue.Len()
			t.Require(n == 0, "Two items were added while two goroutines came to Get, one for each. Len is %d now, and a goroutine still waits in Get. In most of many queues none does: this is about a moment at which a wake-up can get lost, because the goroutine that needs it has looked at the queue and does not wait yet.", n)
		}
	})
}

// lenAtRest asks for Len when three Adds that overlapped have returned.
func lenAtRest(t *conform.T, open func() Subject) {
	inCrowds(t, open, 2, "Add(\"a\"), Add(\"b\") and Add(\"c\") at once, and then Len()", func(queue Subject) (calls []func(), atRest func()) {
		add := func(item string) func() { return func() { queue.Add(item) } }
		return []func(){add("a"), add("b"), add("c")}, func() {
			n := queue.Len()
			t.Require(n == 3, "Three items were added at once. All three Adds have returned, nobody takes anything, and Len is %d: three items are queued.", n)
		}
	})
}

// takenForAll has an Add come while Get hands out its item. If Len has said before that nothing is
// queued, the item was being processed when it was added.
func takenForAll(t *conform.T, open func() Subject) {
	inCrowds(t, open, 2, "Get() of the only item, while another goroutine calls Len and adds the item", func(queue Subject) (calls []func(), atRest func()) {
		queue.Add("a")
		n := 0
		get := func() { _, _ = queue.Get() }
		add := func() {
			n = queue.Len()
			queue.Add("a")
		}
		return []func(){get, add}, func() {
			queue.Done("a")
			again := queue.Len()
			t.Require(n > 0 || again == 1, "\"a\" was the only item. While Get took it, Len said 0, so it was no longer queued, and then it was added. It is done now, and Len is %d: an item that is added while it is being processed is dirty, and Done queues it again.", again)
		}
	})
}

// lateForAll has an Add overlap a ShutDown. What Len says when ShutDown has returned it says for ever.
func lateForAll(t *conform.T, open func() Subject) {
	inCrowds(t, open, 2, "Add(\"a\") while another goroutine calls ShutDown and then Len", func(queue Subject) (calls []func(), atRest func()) {
		n := 0
		add := func() { queue.Add("a") }
		shut := func() {
			queue.ShutDown()
			n = queue.Len()
		}
		return []func(){add, shut}, func() {
			now := queue.Len()
			t.Require(n == now, "Add(\"a\") and ShutDown overlapped. When ShutDown had returned Len was %d, and it is %d now: an Add took effect after a ShutDown had returned, or it took effect before and Len reads a number that Add changes only later, behind its lock. Once ShutDown has been called, Add does nothing.", n, now)
		}
	})
}

// lastDoneOfMany begins a drain while the last item becomes done.
func lastDoneOfMany(t *conform.T, open func() Subject) {
	inCrowds(t, open, 10, "ShutDownWithDrain() while the last item becomes done", func(queue Subject) (calls []func(), atRest func()) {
		queue.Add("a")
		_, _ = queue.Get()
		var drained atomic.Bool
		done := func() { queue.Done("a") }
		drain := func() {
			queue.ShutDownWithDrain()
			drained.Store(true)
		}
		return []func(){done, drain}, func() {
			t.Require(drained.Load(), "The last item became done while a drain began, nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned. In most of many queues it does: this is about a moment at which a Done can be missed, between the drain's look and its wait.")
		}
	})
}
