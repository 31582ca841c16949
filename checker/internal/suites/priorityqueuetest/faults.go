package priorityqueuetest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	queueFile = "queue.go"
	lineFile  = "line.go"
)

var faults = slices.Concat(orderFaults, timeFaults, wakeFaults)

// Mistakes about which key goes first and how often.
var orderFaults = []conform.Fault{
	{
		Name:     "lowest-first",
		Mistake:  "Priority is read as in Unix, where a lower number is more urgent.",
		File:     lineFile,
		Edits:    conform.Swap("return e.priority > other.priority", "return e.priority < other.priority"),
		KilledBy: "higher-priority-first",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "heap-taken-for-stable",
		Mistake:  "Keys of one priority are trusted to stay in order; a heap shuffles equals.",
		File:     lineFile,
		Edits:    conform.Swap("if e.priority != other.priority {\n\t\treturn e.priority > other.priority\n\t}\n\treturn e.order < other.order", "return e.priority > other.priority"),
		KilledBy: "fifo-within-a-priority",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "every-event-moves-back",
		Mistake:  "Adding a ready key again sends it to the back, so an object that changes all the time is never reached.",
		File:     queueFile,
		Edits:    conform.Swap("\tif priority <= e.priority {\n\t\treturn\n\t}\n\te.priority = priority\n", "\te.priority = max(e.priority, priority)\n"),
		KilledBy: "fifo-within-a-priority",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "a-copy-for-each-source",
		Mistake:  "A key that becomes more urgent is queued once more, ahead of its old place, as two queues would do.",
		File:     queueFile,
		Edits:    conform.Swap("\te.order = q.place()\n\tif !e.locked {\n\t\theap.Fix(&q.ready, e.index)\n\t}", "\tmore := *e\n\tmore.order = q.place()\n\tif !e.locked {\n\t\theap.Push(&q.ready, &more)\n\t}"),
		KilledBy: "two-sources-know-of-each-other",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "raised-and-not-moved",
		Mistake:  "The priority is changed in place and the heap is not told.",
		File:     queueFile,
		Edits:    conform.Swap("\tif !e.locked {\n\t\theap.Fix(&q.ready, e.index)\n\t}\n", ""),
		KilledBy: "two-sources-know-of-each-other",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "raised-keeps-its-number",
		Mistake:  "A key that becomes urgent brings its old place along and pushes in front of those that were urgent before it.",
		File:     queueFile,
		Edits:    conform.Swap("\te.order = q.place()\n\tif !e.locked {", "\tif !e.locked {"),
		KilledBy: "raised-never-lowered",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "last-priority-wins",
		Mistake:  "The newest add knows best: the resync lowers what a user's edit had raised.",
		File:     queueFile,
		Edits:    conform.Swap("if priority <= e.priority {", "if priority == e.priority {"),
		KilledBy: "raised-never-lowered",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "waiting-is-not-raised",
		Mistake:  "Only ready keys are in the line of priorities, so only theirs are looked after.",
		File:     queueFile,
		Edits:    conform.Swap("if priority <= e.priority {", "if priority <= e.priority || e.stage != ready {"),
		KilledBy: "raised-never-lowered",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "locked-is-not-raised",
		Mistake:  "A locked key is in no line, so raising it is left to Done, which puts it back with the place it had in its old priority.",
		File:     queueFile,
		Edits:    conform.Swap("\tif e.stage != ready {\n\t\treturn //", "\tif e.stage != ready || e.locked {\n\t\treturn //"),
		KilledBy: "queue-against-a-model",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "time-outranks-priority",
		Mistake:  "One comparison serves both lines and looks at the time first: whatever was due longer goes before what is urgent (controller-runtime#3330).",
		File:     lineFile,
		Edits:    conform.Swap("\tif e.priority != other.priority {", "\tif !e.readyAt.Equal(other.readyAt) {\n\t\treturn e.readyAt.Before(other.readyAt)\n\t}\n\tif e.priority != other.priority {"),
		KilledBy: "priority-outranks-time",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "place-from-before-the-wait",
		Mistake:  "A key keeps the place it had when it was added, and after its delay pushes in front of keys that were ready before it.",
		File:     queueFile,
		Edits:    conform.Swap("\te.stage, e.order = ready, q.place()\n", "\tif e.stage != waiting {\n\t\te.order = q.place()\n\t}\n\te.stage = ready\n"),
		KilledBy: "priority-outranks-time",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "priority-lost-on-retry",
		Mistake:  "A rate-limited add is an add with a delay and nothing else: the retry comes back with priority 0 (controller-runtime#3157).",
		File:     queueFile,
		Edits:    conform.Swap("if o.Priority != nil {", "if o.Priority != nil && !o.RateLimited {"),
		KilledBy: "priority-survives-backoff",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "locked-remembers-its-priority",
		Mistake:  "A locked key that is added again is taken for one that is queued, with the priority it was handed out with.",
		File:     queueFile,
		Edits:    conform.Swap("\tif e.stage == absent {\n\t\te.priority = priority\n", "\tif e.stage == absent {\n\t\tif priority > e.priority || !e.locked {\n\t\t\te.priority = priority\n\t\t}\n"),
		KilledBy: "locked-key-starts-afresh",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "added-while-locked-is-lost",
		Mistake:  "The worker has the key already, so another add of it is dropped; but the worker may have read the object before it changed.",
		File:     queueFile,
		Edits:    conform.Swap("\tif e.stage == absent {\n\t\te.priority", "\tif e.locked {\n\t\treturn\n\t}\n\tif e.stage == absent {\n\t\te.priority"),
		KilledBy: "locked-key-is-skipped",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "locked-is-handed-out",
		Mistake:  "A key that is added while a worker holds it goes straight to another worker.",
		File:     queueFile,
		Edits:    conform.Swap("\tif e.locked {\n\t\tq.parked++\n\t\treturn\n\t}\n\tq.offer(e)", "\tq.offer(e)"),
		KilledBy: "locked-key-is-skipped",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "locked-blocks-the-line",
		Mistake: "Get waits for the first key in line to be unlocked: one slow reconcile stops all workers.",
		File:    queueFile,
		Edits: []conform.Edit{
			{Old: "\tif e.locked {\n\t\tq.parked++\n\t\treturn\n\t}\n\tq.offer(e)", New: "\tq.offer(e)"},
			{Old: "for q.ready.Len() == 0 && !q.shutdown {", New: "for (q.ready.Len() == 0 || q.ready.entries[0].locked) && !q.shutdown {"},
			{Old: "\t\tq.parked--\n\t\tq.offer(e)", New: "\t\tq.grown.Broadcast()"},
		},
		KilledBy: "locked-key-is-skipped",
		Verdict:  verdict.Deadlock,
	},
}

// Mistakes about delays and what is counted.
var timeFaults = []conform.Fault{
	{
		Name:     "waiting-counts",
		Mistake:  "Len is the size of the map: it counts keys that wait and keys that are handed out.",
		File:     queueFile,
		Edits:    conform.Swap("return q.ready.Len() + q.parked", "return len(q.entries)"),
		KilledBy: "len-counts-what-is-ready",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "depth-below-zero",
		Mistake:  "The number of parked keys goes down at every Done of a key that was added again, also if that key still waits (the depth of controller-runtime#3066 went below zero).",
		File:     queueFile,
		Edits:    conform.Swap("\t\tdelete(q.entries, item)\n\tcase ready:\n\t\tq.parked--\n\t\tq.offer(e)", "\t\tdelete(q.entries, item)\n\tcase waiting:\n\t\tq.parked--\n\tcase ready:\n\t\tq.parked--\n\t\tq.offer(e)"),
		KilledBy: "len-counts-what-is-ready",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "last-delay-wins",
		Mistake:  "A later add replaces the time: a key that is added again and again is put off for ever.",
		File:     queueFile,
		Edits:    conform.Swap("; at.Before(e.readyAt) {", "; !at.Equal(e.readyAt) {"),
		KilledBy: "earliest-time-wins",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "heap-not-told-of-the-time",
		Mistake:  "The time of a waiting key moves forward and its place in the heap does not.",
		File:     queueFile,
		Edits:    conform.Swap("\t\theap.Fix(&q.waiting, e.index)\n", ""),
		KilledBy: "earliest-time-wins",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "timer-set-once",
		Mistake:  "A timer that runs is left alone: a key that is due earlier waits for the later one.",
		File:     queueFile,
		Edits:    conform.Swap("if first.readyAt.Equal(q.armed) {", "if !q.armed.IsZero() {"),
		KilledBy: "waits-its-time",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "timer-not-set-again",
		Mistake:  "The timer fires once and is not set for the key that is due next.",
		File:     queueFile,
		Edits:    conform.Swap("\tq.armed = time.Time{} // it has fired\n\tq.arm()\n", ""),
		KilledBy: "waits-its-time",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "wait-goes-on",
		Mistake:  "An add without delay queues the key and leaves its wait as it is: it comes twice, as in client-go's queue (kubernetes#126027).",
		File:     queueFile,
		Edits:    conform.Swap("\tif delay <= 0 {\n\t\theap.Remove(&q.waiting, e.index)\n\t\tq.makeReady(e)\n", "\tif delay <= 0 {\n\t\tsooner := &entry[T]{key: e.key, priority: e.priority, locked: e.locked}\n\t\tq.makeReady(sooner)\n"),
		KilledBy: "earliest-time-wins",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "ready-waits-again",
		Mistake:  "Every add with a delay makes the key wait, also one that was ready.",
		File:     queueFile,
		Edits:    conform.Swap("\tif e.stage == waiting {\n\t\tq.hasten(e, delay)\n\t}", "\tif e.stage == waiting {\n\t\tq.hasten(e, delay)\n\t} else if delay > 0 && !e.locked {\n\t\theap.Remove(&q.ready, e.index)\n\t\tq.enter(e, delay)\n\t}"),
		KilledBy: "earliest-time-wins",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "changed-while-iterating",
		Mistake:  "Keys are taken out of the line in the loop that walks along it (controller-runtime#3060).",
		File:     queueFile,
		Edits:    conform.Swap("\tfor q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {\n\t\tq.makeReady(heap.Pop(&q.waiting).(*entry[T]))\n\t}", "\tfor i, e := range q.waiting.entries {\n\t\tif !e.readyAt.After(now) {\n\t\t\tq.makeReady(heap.Remove(&q.waiting, i).(*entry[T]))\n\t\t}\n\t}"),
		KilledBy: "many-become-ready-at-once",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "one-at-a-time",
		Mistake:  "The timer makes one key ready and is set for the next; with two due at once the second is already past, and a time that is past is taken for none.",
		File:     queueFile,
		Edits:    conform.Swap("\tfor q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {\n\t\tq.makeReady(heap.Pop(&q.waiting).(*entry[T]))\n\t}\n\tq.armed = time.Time{} // it has fired\n", "\tif q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {\n\t\tq.makeReady(heap.Pop(&q.waiting).(*entry[T]))\n\t}\n"),
		KilledBy: "many-become-ready-at-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "delay-sticks-to-the-batch",
		Mistake: "The delay lives outside the loop and the shorter one is kept: what the limiter said of one item is used for the next (controller-runtime#3103).",
		File:    queueFile,
		Edits: []conform.Edit{
			{Old: "\t\tq.add(item, priority, q.delay(o, item))\n", New: "\t\to.After = q.delay(o, item)\n\t\tq.add(item, priority, o.After)\n"},
		},
		KilledBy: "asks-its-limiter",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "longer-of-both",
		Mistake:  "With After and RateLimited the longer time is taken, as a limiter of limiters would.",
		File:     queueFile,
		Edits:    conform.Swap("return min(o.After, limited)", "return max(o.After, limited)"),
		KilledBy: "asks-its-limiter",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "queued-is-not-counted",
		Mistake:  "The limiter is asked only for keys that are not queued yet, so failures get lost.",
		File:     queueFile,
		Edits:    conform.Swap("\tlimited := q.limiter.When(item)\n", "\tq.mu.Lock()\n\tknown := q.entries[item] != nil\n\tq.mu.Unlock()\n\tif known {\n\t\treturn o.After\n\t}\n\tlimited := q.limiter.When(item)\n"),
		KilledBy: "asks-its-limiter",
		Verdict:  verdict.WrongAnswer,
	},
}

// Mistakes about who is woken, shutting down, races and memory.
var wakeFaults = []conform.Fault{
	{
		Name:    "one-signal-per-call",
		Mistake: "An add signals once when all keys are added: a call that adds three keys wakes one worker.",
		File:    queueFile,
		Edits: []conform.Edit{
			{Old: "\theap.Push(&q.ready, e)\n\tq.grown.Signal()\n", New: "\theap.Push(&q.ready, e)\n"},
			{Old: "\t\tq.add(item, priority, q.delay(o, item))\n\t}\n", New: "\t\tq.add(item, priority, q.delay(o, item))\n\t}\n\tq.grown.Signal()\n"},
			{Old: "\t\tq.parked--\n\t\tq.offer(e)", New: "\t\tq.parked--\n\t\tq.offer(e)\n\t\tq.grown.Signal()"},
			{Old: "\tq.armed = time.Time{} // it has fired\n", New: "\tq.grown.Signal()\n\tq.armed = time.Time{} // it has fired\n"},
		},
		KilledBy: "each-key-wakes-a-getter",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "done-wakes-nobody",
		Mistake:  "Done puts the key back in line and leaves it to the next Get to find it; all workers sleep already. controller-runtime's own tests do not see this one.",
		File:     queueFile,
		Edits:    conform.Swap("\t\tq.parked--\n\t\tq.offer(e)", "\t\tq.parked--\n\t\theap.Push(&q.ready, e)"),
		KilledBy: "done-wakes-a-getter",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "shutdown-wakes-one",
		Mistake:  "ShutDown signals, and one of the workers goes home (controller-runtime#3337).",
		File:     queueFile,
		Edits:    conform.Swap("q.grown.Broadcast()", "q.grown.Signal()"),
		KilledBy: "shutdown-releases-everyone",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "get-after-shutdown-blocks",
		Mistake:  "ShutDown is looked for after the wait and not before it: who comes later waits for ever (controller-runtime#3239).",
		File:     queueFile,
		Edits:    conform.Swap("\tfor q.ready.Len() == 0 && !q.shutdown {\n\t\tq.grown.Wait()\n\t}", "\tfor q.ready.Len() == 0 {\n\t\tq.grown.Wait()\n\t\tif q.shutdown {\n\t\t\tbreak\n\t\t}\n\t}"),
		KilledBy: "shutdown-releases-everyone",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:    "shutdown-lets-in",
		Mistake: "Adds after ShutDown are taken, and handed out to workers that are about to stop.",
		File:    queueFile,
		Edits: []conform.Edit{
			{Old: "\tif q.shutdown {\n\t\treturn\n\t}\n\te := q.entries[item]", New: "\te := q.entries[item]"},
			{Old: "\tif q.shutdown {\n\t\treturn item, 0, true", New: "\tif q.shutdown && q.ready.Len() == 0 {\n\t\treturn item, 0, true"},
		},
		KilledBy: "shutdown-releases-everyone",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "hand-off-under-the-lock",
		Mistake: "Keys are announced to waiting getters over an unbuffered channel with the lock held; the getter needs that lock, or has left at ShutDown, and nobody receives (controller-runtime#3538).",
		File:    queueFile,
		Edits: []conform.Edit{
			{Old: "\tparked   int ", New: "\tcome     chan struct{}\n\tgetters  int\n\tparked   int "},
			{Old: "\t\tentries: map[T]*entry[T]{},\n", New: "\t\tentries: map[T]*entry[T]{},\n\t\tcome:    make(chan struct{}),\n"},
			{Old: "\theap.Push(&q.ready, e)\n\tq.grown.Signal()\n", New: "\theap.Push(&q.ready, e)\n\tif q.getters > 0 {\n\t\tq.come <- struct{}{}\n\t}\n"},
			{Old: "\t\tq.grown.Wait()\n", New: "\t\tq.getters++\n\t\tq.mu.Unlock()\n\t\t<-q.come\n\t\tq.mu.Lock()\n\t\tq.getters--\n"},
			{Old: "q.grown.Broadcast()", New: "close(q.come)"},
		},
		KilledBy: "shutdown-with-a-backlog",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "len-without-lock",
		Mistake:  "Len only reads two numbers, and reading is taken to need no lock.",
		File:     queueFile,
		Edits:    conform.Swap("\tq.mu.Lock()\n\tdefer q.mu.Unlock()\n\treturn q.ready.Len() + q.parked", "\treturn q.ready.Len() + q.parked"),
		KilledBy: "one-worker-per-key",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "slot-not-cleared",
		Mistake:  "The slice is cut and the last slot still points to the key (kubernetes#104991).",
		File:     lineFile,
		Edits:    conform.Swap("\tl.entries[last] = nil\n", ""),
		KilledBy: "lets-go-of-keys",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "entries-kept",
		Mistake:  "The entry of a key stays in the map after Done, to be used again: pods are named anew each time, and it never is.",
		File:     queueFile,
		Edits:    conform.Swap("\tcase absent:\n\t\tdelete(q.entries, item)\n", ""),
		KilledBy: "lets-go-of-keys",
		Verdict:  verdict.WrongAnswer,
	},
}
