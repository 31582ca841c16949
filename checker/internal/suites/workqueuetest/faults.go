package workqueuetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const file = "queue.go"

var faults = []conform.Fault{
	{
		Name:     "last-in-first-out",
		Mistake:  "A slice is easiest to pop at its end, and nothing seems to go wrong while the queue is short.",
		File:     file,
		Edits:    conform.Swap("item := (*f)[0]\n\t(*f)[0] = zero\n\t*f = (*f)[1:]", "last := len(*f) - 1\n\titem := (*f)[last]\n\t(*f)[last] = zero\n\t*f = (*f)[:last]"),
		KilledBy: "first-in-first-out",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-dirty-set",
		Mistake:  "Add trusts the processing set alone, and queues an item as often as it is added.",
		File:     file,
		Edits:    conform.Swap("if !q.dirty.insert(item) {\n\t\treturn // queued already, or to be queued by Done\n\t}", "q.dirty.insert(item)"),
		KilledBy: "added-twice-queued-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-processing-set",
		Mistake:  "A channel with a set in front of it: whatever is not queued may be queued, although a worker holds it.",
		File:     file,
		Edits:    conform.Swap("\tif q.processing.has(item) {\n\t\treturn // Done will see that it is dirty\n\t}\n", ""),
		KilledBy: "add-while-processing-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "add-while-processing-is-lost",
		Mistake:  "An item that a worker holds is already being taken care of, so Add does nothing for it.",
		File:     file,
		Edits:    conform.Swap("\tif !q.dirty.insert(item) {", "\tif q.processing.has(item) || !q.dirty.insert(item) {"),
		KilledBy: "many-adds-one-requeue",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "dirty-until-done",
		Mistake:  "The item is taken out of the dirty set by Done and not by Get, so every Add during the work is swallowed.",
		File:     file,
		Edits:    []conform.Edit{{Old: "\tq.dirty.remove(item)\n\treturn item, false", New: "\treturn item, false"}, {Old: "\tif q.dirty.has(item) {\n\t\tq.enqueue(item)\n\t}\n", New: "\tq.dirty.remove(item)\n"}},
		KilledBy: "many-adds-one-requeue",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "dirty-for-ever",
		Mistake:  "Nobody takes the item out of the dirty set, so Done queues it again each time: the worker never rests.",
		File:     file,
		Edits:    conform.Swap("\tq.dirty.remove(item)\n\treturn item, false", "\treturn item, false"),
		KilledBy: "added-twice-queued-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "len-counts-all-work",
		Mistake:  "Len is taken for the amount of work left, and counts what is being processed as well.",
		File:     file,
		Edits:    conform.Swap("func (q *Queue[T]) Len() int {\n\tq.mu.Lock()\n\tdefer q.mu.Unlock()\n\treturn len(q.queue)", "func (q *Queue[T]) Len() int {\n\tq.mu.Lock()\n\tdefer q.mu.Unlock()\n\treturn len(q.queue) + len(q.processing)"),
		KilledBy: "len-counts-the-queued",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "shutdown-drops-the-backlog",
		Mistake:  "Get looks at the shutdown flag first, and what was accepted is never worked on.",
		File:     file,
		Edits:    conform.Swap("\tif len(q.queue) == 0 {\n\t\treturn item, true", "\tif q.shuttingDown {\n\t\treturn item, true"),
		KilledBy: "shutdown-keeps-the-backlog",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "adds-after-shutdown",
		Mistake:  "ShutDown only wakes the workers; Add goes on accepting, and the queue may never run empty.",
		File:     file,
		Edits:    conform.Swap("\tif q.shuttingDown {\n\t\treturn\n\t}\n\tif !q.dirty", "\tif !q.dirty"),
		KilledBy: "shutdown-keeps-the-backlog",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "shutdown-waits-for-workers",
		Mistake:  "ShutDown waits until nothing is being processed; the worker that calls it waits for itself (the shape of kubernetes#97323).",
		File:     file,
		Edits:    conform.Swap("\tq.shutDown()\n\tq.draining = false\n\tq.idle.Broadcast()", "\tq.shutDown()\n\tfor len(q.processing) > 0 {\n\t\tq.idle.Wait()\n\t}"),
		KilledBy: "shutdown-keeps-the-backlog",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "requeue-in-front",
		Mistake:  "A dirty item has been added long ago, so Done lets it jump the line.",
		File:     file,
		Edits:    []conform.Edit{{Old: "\tif q.dirty.has(item) {\n\t\tq.enqueue(item)", New: "\tif q.dirty.has(item) {\n\t\tq.queue = append(fifo[T]{item}, q.queue...)\n\t\tq.work.Signal()"}},
		KilledBy: "requeue-goes-to-the-tail",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "add-wakes-nobody",
		Mistake:  "The Signal in Add is missing. Workers that are never idle do not need it, and upstream's own tests pass without.",
		File:     file,
		Edits:    conform.Swap("\tq.enqueue(item)\n}\n\n// enqueue", "\tq.queue.push(item)\n}\n\n// enqueue"),
		KilledBy: "each-item-wakes-a-getter",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "done-wakes-nobody",
		Mistake:  "Done puts a dirty item back and trusts that the worker that called it will call Get next.",
		File:     file,
		Edits:    conform.Swap("\tif q.dirty.has(item) {\n\t\tq.enqueue(item)", "\tif q.dirty.has(item) {\n\t\tq.queue.push(item)"),
		KilledBy: "each-item-wakes-a-getter",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "wait-without-a-loop",
		Mistake: "A goroutine that wakes up takes it for granted that there is an item for it; after a Broadcast there is one for the first.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tfor len(q.queue) == 0 && !q.shuttingDown {", New: "\tif len(q.queue) == 0 && !q.shuttingDown {"},
			{Old: "\tq.work.Signal()", New: "\tq.work.Broadcast()"},
		},
		KilledBy: "each-item-wakes-a-getter",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "one-condition-for-all",
		Mistake: "Drainers and workers wait on one condition, and one Signal after each Done is believed to reach the right one.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\t\tq.idle.Broadcast()\n\t}\n}\n\n// busy", New: "\t\tq.work.Signal()\n\t}\n}\n\n// busy"},
		},
		KilledBy: "drain-waits-for-workers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "get-spins",
		Mistake:  "While the queue is empty Get unlocks, locks and looks again: no wake-up can be lost, and a core is.",
		File:     file,
		Edits:    conform.Swap("\t\tq.work.Wait()\n", "\t\tq.mu.Unlock()\n\t\tq.mu.Lock()\n"),
		KilledBy: "get-waits-asleep",
		Verdict:  verdict.Timeout,
	},
	{
		Name:    "get-polls",
		Mistake: "Get sleeps a millisecond between two checks; forty quiet controllers check two hundred thousand times a second.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\t\tq.work.Wait()\n", New: "\t\tq.mu.Unlock()\n\t\ttime.Sleep(time.Millisecond)\n\t\tq.mu.Lock()\n"},
			{Old: "import (\n\t\"sync\"\n", New: "import (\n\t\"sync\"\n\t\"time\"\n"},
		},
		KilledBy: "get-waits-asleep",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "shutdown-wakes-one",
		Mistake:  "ShutDown signals like Add does, and all workers but one sleep for ever. Upstream's own tests pass.",
		File:     file,
		Edits:    conform.Swap("\tq.work.Broadcast()", "\tq.work.Signal()"),
		KilledBy: "shutdown-wakes-every-getter",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "popped-items-stay",
		Mistake:  "The slot of a popped item is not cleared, and the array keeps what it points to alive (kubernetes#104991).",
		File:     file,
		Edits:    conform.Swap("\tvar zero T\n\titem := (*f)[0]\n\t(*f)[0] = zero\n", "\titem := (*f)[0]\n"),
		KilledBy: "forgets-what-is-done",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "history-of-all-items",
		Mistake: "Every item ever seen stays in a map, with false for those that are done: keys of deleted objects add up for ever.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tprocessing set[T]  // the items that workers hold\n", New: "\tprocessing set[T]  // the items that workers hold\n\tseen       map[T]bool\n"},
			{Old: "\tq.processing.insert(item)\n", New: "\tq.processing.insert(item)\n\tif q.seen == nil {\n\t\tq.seen = make(map[T]bool)\n\t}\n\tq.seen[item] = true\n"},
			{Old: "\tq.processing.remove(item)\n", New: "\tq.processing.remove(item)\n\tq.seen[item] = false\n"},
		},
		KilledBy: "forgets-what-is-done",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "goroutine-outlives-shutdown",
		Mistake: "New starts a loop for metrics that looks at the shutdown flag only at its next tick (kubernetes#135072).",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\treturn q\n}\n\n// Add marks", New: "\tgo func() {\n\t\tfor !q.ShuttingDown() {\n\t\t\ttime.Sleep(500 * time.Millisecond)\n\t\t}\n\t}()\n\treturn q\n}\n\n// Add marks"},
			{Old: "import (\n\t\"sync\"\n", New: "import (\n\t\"sync\"\n\t\"time\"\n"},
		},
		KilledBy: "shutdown-ends-its-goroutines",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "goroutine-for-ever",
		Mistake:  "New starts a goroutine, and nothing that ShutDown does ever reaches it (controller-runtime#649).",
		File:     file,
		Edits:    conform.Swap("\treturn q\n}\n\n// Add marks", "\tstop := make(chan struct{})\n\tgo func() { <-stop }()\n\treturn q\n}\n\n// Add marks"),
		KilledBy: "first-in-first-out",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:     "drain-does-not-wait",
		Mistake:  "ShutDownWithDrain sets its flag and returns: draining is left to the workers.",
		File:     file,
		Edits:    conform.Swap("\tfor q.busy() && q.draining {\n\t\tq.idle.Wait()\n\t}\n", ""),
		KilledBy: "drain-waits-for-workers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "drain-waits-for-one",
		Mistake: "The drain takes the first Done for the last: one Wait without a loop. Upstream's own tests pass.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tfor q.busy() && q.draining {", New: "\tif q.busy() && q.draining {"},
			{Old: "\tif !q.busy() {\n\t\tq.idle.Broadcast()\n\t}\n", New: "\tq.idle.Broadcast()\n"},
		},
		KilledBy: "drain-waits-for-workers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "drain-drops-the-dirty",
		Mistake:  "Done queues nothing once the queue is shutting down, and a change that was accepted is lost.",
		File:     file,
		Edits:    conform.Swap("\tif q.dirty.has(item) {\n\t\tq.enqueue", "\tif q.dirty.has(item) && !q.shuttingDown {\n\t\tq.enqueue"),
		KilledBy: "drain-requeues-the-dirty",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "drain-cannot-be-called-off",
		Mistake:  "ShutDown clears the flag and wakes nobody who could see it.",
		File:     file,
		Edits:    conform.Swap("\tq.draining = false\n\tq.idle.Broadcast()", "\tq.draining = false"),
		KilledBy: "shutdown-aborts-a-drain",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "look-then-wait",
		Mistake: "The drain checks and waits in two critical sections, and a Done between them wakes nobody (the gap of kubernetes#119554, where a ShutDown was missed).",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tq.mu.Lock()\n\tdefer q.mu.Unlock()\n\tq.shutDown()\n\tq.draining = true\n\tfor q.busy() && q.draining {\n\t\tq.idle.Wait()\n\t}\n}\n", New: `	q.mu.Lock()
	q.shutDown()
	q.draining = true
	q.mu.Unlock()
	for q.underWay() {
		q.wait()
	}
}

func (q *Queue[T]) underWay() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.busy() && q.draining
}

func (q *Queue[T]) wait() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.idle.Wait()
}
`},
		},
		KilledBy: "drain-misses-no-done",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:    "get-in-two-steps",
		Mistake: "Get pops in one critical section and marks the item as processing in the next; an Add between them queues it for a second worker.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "func (q *Queue[T]) Get() (item T, shutdown bool) {\n", New: `func (q *Queue[T]) Get() (item T, shutdown bool) {
	if item, shutdown = q.take(); !shutdown {
		q.hold(item)
	}
	return item, shutdown
}

func (q *Queue[T]) hold(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.insert(item)
}

func (q *Queue[T]) take() (item T, shutdown bool) {
`},
			{Old: "\titem = q.queue.pop()\n\tq.processing.insert(item)\n", New: "\titem = q.queue.pop()\n"},
		},
		KilledBy: "one-worker-per-item",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "add-in-two-steps",
		Mistake: "Add asks whether the item is dirty under one lock and marks it under the next, so two handlers queue it twice.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tif !q.dirty.insert(item) {\n\t\treturn // queued already, or to be queued by Done\n\t}", New: "\tq.dirty.insert(item)"},
			{Old: "func (q *Queue[T]) Add(item T) {\n", New: `func (q *Queue[T]) Add(item T) {
	if !q.isDirty(item) {
		q.mark(item)
	}
}

func (q *Queue[T]) isDirty(item T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dirty.has(item)
}

func (q *Queue[T]) mark(item T) {
`},
		},
		KilledBy: "linearizable",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "len-without-lock",
		Mistake:  "Len only reads, so it is believed to need no lock.",
		File:     file,
		Edits:    conform.Swap("func (q *Queue[T]) Len() int {\n\tq.mu.Lock()\n\tdefer q.mu.Unlock()\n", "func (q *Queue[T]) Len() int {\n"),
		KilledBy: "everything-at-once",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "flag-without-lock",
		Mistake:  "ShuttingDown reads one bool, which is believed to be atomic.",
		File:     file,
		Edits:    conform.Swap("func (q *Queue[T]) ShuttingDown() bool {\n\tq.mu.Lock()\n\tdefer q.mu.Unlock()\n", "func (q *Queue[T]) ShuttingDown() bool {\n"),
		KilledBy: "everything-at-once",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "room-for-a-thousand",
		Mistake:  "The queue has a bound, as a buffered channel has, and Add waits for room: the event handler stands still.",
		File:     file,
		Edits:    conform.Swap("\tq.queue.push(item)\n\tq.work.Signal()", "\tfor len(q.queue) == 1024 {\n\t\tq.idle.Wait()\n\t}\n\tq.queue.push(item)\n\tq.work.Signal()"),
		KilledBy: "add-waits-for-nobody",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:    "freed-when-empty",
		Mistake: "A popped slot is not cleared, because the array goes when the queue runs empty; a busy queue never does.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tvar zero T\n\titem := (*f)[0]\n\t(*f)[0] = zero\n", New: "\titem := (*f)[0]\n"},
			{Old: "\t*f = (*f)[1:]\n", New: "\t*f = (*f)[1:]\n\tif len(*f) == 0 {\n\t\t*f = nil\n\t}\n"},
		},
		KilledBy: "forgets-what-is-done",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "copied-down",
		Mistake:  "Pop moves the rest one place to the front, and the last slot goes on holding what it held.",
		File:     file,
		Edits:    conform.Swap("\tvar zero T\n\titem := (*f)[0]\n\t(*f)[0] = zero\n\t*f = (*f)[1:]\n", "\titem := (*f)[0]\n\t*f = (*f)[:copy(*f, (*f)[1:])]\n"),
		KilledBy: "forgets-what-is-done",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "head-moves-on",
		Mistake: "Pop only moves an index, and the array in front of it grows with every item that ever went through the queue.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tqueue      fifo[T] // the items to hand out, in order\n", New: "\tqueue      []T // the items to hand out, in order, from head on\n\thead       int\n"},
			{Old: "\tq.queue.push(item)\n", New: "\tq.queue = append(q.queue, item)\n"},
			{Old: "\treturn len(q.queue)\n}", New: "\treturn len(q.queue) - q.head\n}"},
			{Old: "\tfor len(q.queue) == 0 &&", New: "\tfor len(q.queue) == q.head &&"},
			{Old: "\tif len(q.queue) == 0 {\n\t\treturn item, true\n\t}\n\titem = q.queue.pop()\n", New: "\tif len(q.queue) == q.head {\n\t\treturn item, true\n\t}\n\tvar zero T\n\titem, q.queue[q.head] = q.queue[q.head], zero\n\tq.head++\n"},
			{Old: "\treturn len(q.queue) > 0 ||", New: "\treturn len(q.queue) > q.head ||"},
		},
		KilledBy: "forgets-what-is-done",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "second-drain-returns",
		Mistake: "ShutDownWithDrain returns if the queue is shutting down already, as if a second caller had nothing to wait for.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tq.shutDown()\n\tq.draining = true\n", New: "\tif q.shuttingDown {\n\t\treturn\n\t}\n\tq.shutDown()\n\tq.draining = true\n"},
		},
		KilledBy: "shutdown-aborts-a-drain",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "get-waits-for-the-dirty",
		Mistake:  "After a shutdown Get waits for dirty items that others hold, and keeps a worker that has nothing to do.",
		File:     file,
		Edits:    conform.Swap("\tfor len(q.queue) == 0 && !q.shuttingDown {", "\tfor len(q.queue) == 0 && (!q.shuttingDown || len(q.dirty) > 0) {"),
		KilledBy: "drain-requeues-the-dirty",
		Verdict:  verdict.Deadlock,
	},
}
