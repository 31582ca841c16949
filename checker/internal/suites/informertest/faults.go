package informertest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

var faults = slices.Concat(tellingFaults, handlerFaults, resyncFaults, endFaults, factoryFaults)

// tellingFaults are mistakes about what is told, and to whom.
var tellingFaults = []conform.Fault{
	{
		Name:    "told-before-stored",
		Mistake: "Handlers are notified first and the Indexer is updated afterwards: both happen under one lock anyway.",
		File:    "informer.go",
		Edits: []conform.Edit{
			{Old: "\tif err := s.options.Indexer.Update(d.Object); err != nil {\n\t\treturn err\n\t}\n", New: ""},
			{Old: "\ts.distribute(updated(old, d.Object), isSync)\n\treturn nil", New: "\ts.distribute(updated(old, d.Object), isSync)\n\treturn s.options.Indexer.Update(d.Object)"},
		},
		KilledBy: "store-before-notification",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "initial-list-not-marked",
		Mistake:  "What the Queue says about the initial list is dropped; only late handlers hear which additions are old.",
		File:     "informer.go",
		Edits:    conform.Swap("s.distribute(added(d.Object, isInInitialList), false)", "s.distribute(added(d.Object, false), false)"),
		KilledBy: "every-handler-hears-everything",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "delta-type-decides",
		Mistake:  "Whether an object was added or updated is taken from the name of the delta.",
		File:     "informer.go",
		Edits:    conform.Swap("\tif !exists {\n", "\tif !exists || d.Type == kit.DeltaAdded {\n"),
		KilledBy: "the-store-decides",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "relist-is-a-sync",
		Mistake:  "What a list brings is taken for a resync, so handlers without one miss what changed while the watch was cut (kubernetes#86015).",
		File:     "informer.go",
		Edits:    conform.Swap("isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()", "isSync := d.Type == kit.DeltaReplaced || d.Type == kit.DeltaSync"),
		KilledBy: "the-store-decides",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "tombstone-hidden",
		Mistake:  "A deletion is a deletion: that its final state is unknown is not passed on.",
		File:     "informer.go",
		Edits:    conform.Swap("deleted(d.Object, d.FinalStateUnknown)", "deleted(d.Object, false)"),
		KilledBy: "the-store-decides",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "late-handler-hears-nothing-old",
		Mistake:  "A handler that joins late hears only of later changes.",
		File:     "informer.go",
		Edits:    conform.Swap("for _, obj := range s.options.Indexer.List() {", "for _, obj := range s.options.Indexer.List()[:0] {"),
		KilledBy: "late-handler",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "everybody-hears-it-again",
		Mistake:  "When a handler joins, the stored objects go the usual way: to all handlers.",
		File:     "informer.go",
		Edits:    conform.Swap("\t\t\tl.add(added(obj, true))\n", "\t\t\ts.distribute(added(obj, true), false)\n"),
		KilledBy: "late-handler",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "snapshot-before-joining",
		Mistake: "The Indexer is read before the lock is taken. A change between the two is missed.",
		File:    "informer.go",
		Edits: []conform.Edit{
			{Old: "resyncPeriod time.Duration) (kit.Registration, error) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n", New: "resyncPeriod time.Duration) (kit.Registration, error) {\n\tstored := s.options.Indexer.List()\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n"},
			{Old: "range s.options.Indexer.List() {", New: "range stored {"},
		},
		KilledBy: "late-handler-in-a-storm",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "joining-before-snapshot",
		Mistake: "The handler joins, the lock is let go, and the Indexer is read then. A change between the two is heard twice.",
		File:    "informer.go",
		Edits: conform.Swap("\t\tfor _, obj := range s.options.Indexer.List() {\n",
			"\t\ts.mu.Unlock()\n\t\tstored := s.options.Indexer.List()\n\t\ts.mu.Lock()\n\t\tfor _, obj := range stored {\n"),
		KilledBy: "late-handler-in-a-storm",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "queue-asked-under-the-lock",
		Mistake:  "Under its own lock the informer asks the Queue, whose Pop holds the lock of the Queue and waits for that of the informer.",
		File:     "informer.go",
		Edits:    conform.Swap("\t\ts.running.Go(l.run)\n\t}\n\treturn l, nil", "\t\ts.running.Go(l.run)\n\t\t_ = l.HasSynced()\n\t}\n\treturn l, nil"),
		KilledBy: "late-handler-in-a-storm",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "deltas-without-the-lock",
		Mistake:  "The Queue calls apply under its lock already, so no other is thought to be needed. But handlers join and leave without the Queue.",
		File:     "informer.go",
		Edits:    conform.Swap("isInInitialList bool) error {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tfor", "isInInitialList bool) error {\n\tfor"),
		KilledBy: "late-handler-in-a-storm",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "synced-with-the-cache",
		Mistake:  "A handler counts as synced when the cache has synced, whatever it has heard of by then (kubernetes#113763).",
		File:     "listener.go",
		Edits:    conform.Swap("return l.initial == 0", "return l.initial >= 0"),
		KilledBy: "handler-has-synced",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "synced-when-called",
		Mistake: "An initial OnAdd counts as done when it is called, not when it has returned.",
		File:    "listener.go",
		Edits: []conform.Edit{
			{Old: "\tn.tell(l.handler)\n\tif n.initial() {", New: "\tif n.initial() {"},
			{Old: "\t\tl.initial--\n\t\tl.mu.Unlock()\n\t}\n\treturn true", New: "\t\tl.initial--\n\t\tl.mu.Unlock()\n\t}\n\tn.tell(l.handler)\n\treturn true"},
		},
		KilledBy: "handler-has-synced",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "handler-syncs-alone",
		Mistake:  "A handler with nothing left to hear is said to have synced, also if nothing has come yet.",
		File:     "listener.go",
		Edits:    conform.Swap("if !l.upstreamSynced() {", "if l.upstreamSynced == nil {"),
		KilledBy: "handler-has-synced",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "synced-at-the-first-pop",
		Mistake: "The informer looks whether it has synced when it has popped something; an empty list brings nothing to pop.",
		File:    "informer.go",
		Edits: []conform.Edit{
			{Old: "return s.options.Queue.HasSynced() }", New: "return len(s.options.Indexer.ListKeys()) > 0 && s.options.Queue.HasSynced() }"},
		},
		KilledBy: "nothing-is-synced-too",
		Verdict:  verdict.WrongAnswer,
	},
}

// handlerFaults are mistakes of what stands between the informer and a handler.
var handlerFaults = []conform.Fault{
	{
		Name:    "buffer-without-a-lock",
		Mistake: "The bell is taken for enough: the goroutine that hears it sees what was added before. But the goroutine that adds cannot know that the buffer was taken meanwhile.",
		File:    "listener.go",
		Edits: []conform.Edit{
			{Old: "\tl.mu.Lock()\n\tl.pending = append(l.pending, n)\n\tif n.initial() {\n\t\tl.initial++\n\t}\n\tl.mu.Unlock()\n", New: "\tl.pending = append(l.pending, n)\n\tif n.initial() {\n\t\tl.mu.Lock()\n\t\tl.initial++\n\t\tl.mu.Unlock()\n\t}\n"},
		},
		KilledBy: "everybody-hears-one-story",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "bell-is-waited-for",
		Mistake:  "The bell that wakes a listener is rung by a send that waits, so a stuck handler blocks the goroutine that notifies it, and all other handlers.",
		File:     "listener.go",
		Edits:    conform.Swap("\tselect {\n\tcase l.wake <- struct{}{}:\n\tdefault:\n\t}", "\tl.wake <- struct{}{}"),
		KilledBy: "stuck-handler-delays-nobody",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "buffer-of-1024",
		Mistake:  "The buffer has a limit, and what comes when it is full is dropped: no handler is thought to fall behind so far.",
		File:     "listener.go",
		Edits:    conform.Swap("\tl.pending = append(l.pending, n)\n", "\tif len(l.pending) < 1024 {\n\t\tl.pending = append(l.pending, n)\n\t}\n"),
		KilledBy: "stuck-handler-delays-nobody",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "handler-called-by-the-informer",
		Mistake:  "The handler is called by the goroutine that pops, under the lock: then it can call nothing of the informer (kubernetes#26980 held a lock that way).",
		File:     "informer.go",
		Edits:    conform.Swap("\t\tif !isSync || l.syncing {\n\t\t\tl.add(n)\n", "\t\tif !isSync || l.syncing {\n\t\t\tl.call(n)\n"),
		KilledBy: "handler-calls-the-informer",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "panic-goes-on",
		Mistake:  "A panic of a handler is not recovered: it takes the program with it, and with it every other handler.",
		File:     "listener.go",
		Edits:    conform.Swap("if value := recover(); value != nil && l.onPanic != nil {", "if value := any(nil); value != nil && l.onPanic != nil {"),
		KilledBy: "panic-skips-one",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "no-pause-after-a-panic",
		Mistake:  "After a panic the handler is called at once with the next: one that always panics spins through its buffer.",
		File:     "listener.go",
		Edits:    conform.Swap("if !l.call(n) && !l.pause() {", "if !l.call(n) && l.handler == nil {"),
		KilledBy: "panic-skips-one",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "panic-drops-the-batch",
		Mistake:  "After a panic the loop is left, and with it all that was taken out of the buffer together.",
		File:     "listener.go",
		Edits:    conform.Swap("\t\tif !l.call(n) && !l.pause() {\n\t\t\treturn false\n\t\t}", "\t\tif !l.call(n) {\n\t\t\treturn l.pause()\n\t\t}"),
		KilledBy: "panic-skips-one",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "pause-hears-nothing",
		Mistake:  "The pause after a panic is a sleep: a removal and the end have to wait for it.",
		File:     "listener.go",
		Edits:    conform.Swap("\tcase <-time.After(afterPanic):\n\t\treturn true\n\tcase <-l.gone:\n\t\treturn false\n", "\tcase <-time.After(afterPanic):\n\t\treturn true\n"),
		KilledBy: "remove-in-the-pause",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "removed-from-the-list-only",
		Mistake:  "A removed handler hears of nothing more, but its goroutine waits for ever (client-go#1167).",
		File:     "informer.go",
		Edits:    conform.Swap("\tif s.started {\n\t\tl.stop()\n\t} else {", "\tif !s.started {"),
		KilledBy: "remove-handler",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "removed-twice-closed-twice",
		Mistake:  "Removing is closing a channel, and nobody looks whether that was done before.",
		File:     "informer.go",
		Edits:    conform.Swap("\tif i < 0 {\n\t\treturn nil\n\t}\n\ts.listeners = slices.Delete(s.listeners, i, i+1)\n", "\tif i >= 0 {\n\t\ts.listeners = slices.Delete(s.listeners, i, i+1)\n\t}\n"),
		KilledBy: "remove-handler",
		Verdict:  verdict.Panic,
	},
	{
		Name:    "removal-finishes-the-backlog",
		Mistake: "A removed handler first hears of all that is pending, and goes on for a long time after its removal.",
		File:    "listener.go",
		Edits: []conform.Edit{
			{Old: "\t\tcase <-l.gone:\n\t\t\treturn false\n\t\tdefault:\n", New: "\t\tdefault:\n"},
			{Old: "\tl.pending = nil\n", New: ""},
		},
		KilledBy: "remove-stuck-handler",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "shutdown-announced-early",
		Mistake: "The ShutdownChan is closed by the removal, while the handler is still being called: nobody can wait for it (kubernetes#139755).",
		File:    "listener.go",
		Edits: []conform.Edit{
			{Old: "func (l *listener[T]) run() {\n\tdefer close(l.finished)\n", New: "func (l *listener[T]) run() {\n"},
			{Old: "\tclose(l.gone)\n", New: "\tclose(l.gone)\n\tclose(l.finished)\n"},
		},
		KilledBy: "remove-stuck-handler",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "removal-waits",
		Mistake:  "RemoveEventHandler waits until the handler was called for the last time. A handler that removes itself waits for itself.",
		File:     "informer.go",
		Edits:    conform.Swap("\t\tl.stop()\n\t} else {", "\t\tl.stop()\n\t\t<-l.finished\n\t} else {"),
		KilledBy: "handler-calls-the-informer",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "slots-not-cleared",
		Mistake:  "A notification that was taken out still stands in its slot, and keeps its objects alive until the whole batch is done (kubernetes#104991).",
		File:     "listener.go",
		Edits:    conform.Swap("\t\tbatch[i] = notification[T]{} // or the batch would keep the object until its last is done\n", ""),
		KilledBy: "gives-memory-back",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "buffer-never-shrinks",
		Mistake:  "The buffer is used again whatever its size: it remembers its worst day for ever (as the ring of client-go does).",
		File:     "listener.go",
		Edits:    conform.Swap("if cap(spent) > keptRoom {", "if cap(spent) > keptRoom*keptRoom*keptRoom {"),
		KilledBy: "gives-memory-back",
		Verdict:  verdict.WrongAnswer,
	},
}
