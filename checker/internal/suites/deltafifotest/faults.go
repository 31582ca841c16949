package deltafifotest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const file = "deltafifo.go"

var faults = slices.Concat(keeping, listing, consuming)

// keeping are mistakes about what is kept for a key.
var keeping = []conform.Fault{
	{
		Name:     "newest-state-only",
		Mistake:  "Only the newest delta of a key is kept: an event is taken to say all that those before it said.",
		File:     file,
		Edits:    conform.Swap("return append(deltas, d)", "return append(deltas[:0:0], d)"),
		KilledBy: "deltas-in-order",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "equal-types-merged",
		Mistake:  "Any two deltas of one type in a row are merged, not only deletions.",
		File:     file,
		Edits:    conform.Swap("if last < 0 || d.Type != kit.DeltaDeleted || deltas[last].Type != kit.DeltaDeleted {", "if last < 0 || d.Type != deltas[last].Type {"),
		KilledBy: "deltas-in-order",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "every-delta-queues-its-key",
		Mistake:  "The key is put into the queue with every delta, so it stands there as often as it was changed.",
		File:     file,
		Edits:    conform.Swap("if !pending {\n\t\tf.queue", "if pending || !pending {\n\t\tf.queue"),
		KilledBy: "keys-in-order",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "changed-again-goes-to-the-tail",
		Mistake: "A pending key that changes again is taken out and put at the tail, as in a cache of the least recently used.",
		File:    file,
		Edits: conform.Swap("if !pending {\n\t\tf.queue", `for i, queued := range f.queue {
		if queued == key {
			f.queue = append(f.queue[:i:i], f.queue[i+1:]...)
			pending = false
			break
		}
	}
	if !pending {
		f.queue`),
		KilledBy: "keys-in-order",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "newer-deletion-wins",
		Mistake:  "Of two deletions that were seen the newer is kept.",
		File:     file,
		Edits:    conform.Swap("if deltas[last].FinalStateUnknown {", "if !d.FinalStateUnknown || deltas[last].FinalStateUnknown {"),
		KilledBy: "adjacent-deletions-are-one",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "any-deletion-counts",
		Mistake:  "A deletion is dropped if there is any deletion among the pending deltas, not only if it is the last.",
		File:     file,
		Edits:    conform.Swap("\tlast := len(deltas) - 1\n", "\tlast := len(deltas) - 1\n\tfor _, old := range deltas {\n\t\tif d.Type == kit.DeltaDeleted && old.Type == kit.DeltaDeleted {\n\t\t\treturn deltas\n\t\t}\n\t}\n"),
		KilledBy: "adjacent-deletions-are-one",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "first-deletion-wins",
		Mistake:  "Of two deletions the older is kept, also if it is only a tombstone.",
		File:     file,
		Edits:    conform.Swap("\tif deltas[last].FinalStateUnknown {\n\t\tdeltas[last] = d // it can only know more\n\t}\n", ""),
		KilledBy: "deletion-beats-tombstone",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "tombstone-takes-over",
		Mistake:  "A tombstone takes the place of the deletion that was seen, because it is newer.",
		File:     file,
		Edits:    conform.Swap("if deltas[last].FinalStateUnknown {", "if d.FinalStateUnknown || deltas[last].FinalStateUnknown {"),
		KilledBy: "deletion-beats-tombstone",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "unknown-deletion-queued",
		Mistake:  "Every deletion is queued, whether the consumer has ever heard of the object or not.",
		File:     file,
		Edits:    conform.Swap("\tif !f.pending(key) && !f.knows(key) {\n\t\treturn nil\n\t}\n", ""),
		KilledBy: "unknown-deletion-is-dropped",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "pending-is-not-known",
		Mistake:  "Delete asks the known objects only, and drops the deletion of an object whose addition is still pending.",
		File:     file,
		Edits:    conform.Swap("if !f.pending(key) && !f.knows(key) {", "if f.known != nil && !f.knows(key) {"),
		KilledBy: "unknown-deletion-is-dropped",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "array-used-again",
		Mistake: "The slice of a popped key is kept with length 0 to spare an allocation; its array is in the caller's hands.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "delete(f.items, key)", New: "f.items[key] = deltas[:0]"},
			{Old: "deltas, pending := f.items[key]", New: "deltas := f.items[key]\n\tpending := len(deltas) > 0"},
			{Old: "\t_, ok := f.items[key]\n\treturn ok", New: "\treturn len(f.items[key]) > 0"},
		},
		KilledBy: "deltas-belong-to-the-caller",
		Verdict:  verdict.WrongAnswer,
	},
}

// listing are mistakes about Replace, Resync and what a list means.
var listing = []conform.Fault{
	{
		Name:     "relist-is-a-resync",
		Mistake:  "Replace queues Sync deltas, so a handler without a resync period misses what changed while the watch was broken (kubernetes#86015).",
		File:     file,
		Edits:    conform.Swap("f.observe(kit.DeltaReplaced, key, obj)", "f.observe(kit.DeltaSync, key, obj)"),
		KilledBy: "replace-finds-the-missing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "missing-not-noticed",
		Mistake:  "Replace looks at what is in the list and never at what is not.",
		File:     file,
		Edits:    conform.Swap("\tf.buryKnown(listed)\n", ""),
		KilledBy: "replace-finds-the-missing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "tombstone-without-object",
		Mistake:  "A tombstone carries no object, because its final state is unknown (kubernetes#8822).",
		File:     file,
		Edits:    conform.Swap("Type: kit.DeltaDeleted, Object: last, FinalStateUnknown", "Type: kit.DeltaDeleted, FinalStateUnknown"),
		KilledBy: "replace-finds-the-missing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "pending-not-buried",
		Mistake:  "Replace looks for the missing among the known objects only: one that is only pending enters the cache for ever (kubernetes#115620).",
		File:     file,
		Edits:    conform.Swap("\tf.buryPending(listed)\n", ""),
		KilledBy: "tombstone-has-the-newest-state",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "tombstone-of-the-oldest",
		Mistake:  "A tombstone has the state of the oldest pending delta.",
		File:     file,
		Edits:    conform.Swap("deltas.Newest().Object", "deltas[0].Object"),
		KilledBy: "tombstone-has-the-newest-state",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "deletion-hides-the-replacement",
		Mistake:  "A listed object whose deletion is pending is not queued, and the new object of that name is missed (kubernetes#83810).",
		File:     file,
		Edits:    conform.Swap("listed[key] = struct{}{}\n", "listed[key] = struct{}{}\n\t\tif old := f.items[key]; len(old) > 0 && old.Newest().Type == kit.DeltaDeleted {\n\t\t\tcontinue\n\t\t}\n"),
		KilledBy: "replace-keeps-what-is-pending",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "replace-empties-the-queue",
		Mistake:  "A list is taken to supersede all that is pending.",
		File:     file,
		Edits:    conform.Swap("\tlisted := make(map[string]struct{}, len(list))\n", "\tlisted := make(map[string]struct{}, len(list))\n\tclear(f.items)\n\tf.queue = nil\n"),
		KilledBy: "replace-keeps-what-is-pending",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "tombstones-pile-up",
		Mistake:  "A tombstone is appended without a look at the delta before it.",
		File:     file,
		Edits:    conform.Swap("if last < 0 || d.Type", "if last < 0 || d.FinalStateUnknown || d.Type"),
		KilledBy: "replace-keeps-what-is-pending",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "resync-of-the-pending",
		Mistake:  "Resync queues every known object, and puts old states behind pending news (kubernetes client-go TestDeltaFIFO_UpdateResyncRace).",
		File:     file,
		Edits:    conform.Swap("\t\tif f.pending(key) {\n\t\t\tcontinue\n\t\t}\n", ""),
		KilledBy: "resync-skips-the-pending",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "resync-reads-before-it-locks",
		Mistake: "Resync collects the known objects before it locks; what is popped meanwhile is newer (kubernetes#40815).",
		File:    file,
		Edits: []conform.Edit{
			{
				Old: "\tf.mu.Lock()\n\tdefer f.mu.Unlock()\n\tf.eachIdle(func(key string, obj T) {\n\t\tf.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})\n\t})\n",
				New: `	if f.known == nil {
		return nil
	}
	old := map[string]T{}
	for _, key := range f.known.ListKeys() {
		old[key], _ = f.known.GetByKey(key)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for key, obj := range old {
		if !f.pending(key) {
			f.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})
		}
	}
`,
			},
		},
		KilledBy: "cache-follows-the-server",
		Verdict:  verdict.DataRace,
	},
	{
		Name:    "delete-asks-before-it-locks",
		Mistake: "Delete asks the known objects before it locks, and misses what process is just making known (kubernetes#27004).",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tkey := kit.Key(obj)\n\tf.mu.Lock()", New: "\tkey := kit.Key(obj)\n\tknown := f.knows(key)\n\tf.mu.Lock()"},
			{Old: "if !f.pending(key) && !f.knows(key) {", New: "if !f.pending(key) && !known {"},
		},
		KilledBy: "cache-follows-the-server",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "sync-without-tombstones",
		Mistake:  "The first list counts as many keys as it has, and the deletions it brought are left out.",
		File:     file,
		Edits:    conform.Swap("f.initial = len(f.queue)", "f.initial = len(listed)"),
		KilledBy: "synced-by-the-first-list",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "sync-counts-objects",
		Mistake:  "The first list counts as many as it has objects; one that stands in it twice is never popped twice.",
		File:     file,
		Edits:    conform.Swap("f.initial = len(f.queue)", "f.initial = len(f.queue) - len(listed) + len(list)"),
		KilledBy: "synced-by-the-first-list",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "every-list-is-the-first",
		Mistake:  "Each Replace counts anew, so a relist makes a synced queue unsynced.",
		File:     file,
		Edits:    conform.Swap("if !f.begun {", "if f.begun || !f.begun {"),
		KilledBy: "synced-by-the-first-list",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "empty-list-is-no-list",
		Mistake:  "A first list without objects is not counted, and its watcher waits for a sync that never comes.",
		File:     file,
		Edits:    conform.Swap("if !f.begun {", "if !f.begun && len(list) > 0 {"),
		KilledBy: "synced-by-anything-else",
		Verdict:  verdict.WrongAnswer,
	},
}

// consuming are mistakes about the transformer, Pop and Close.
var consuming = []conform.Fault{
	{
		Name:     "last-one-not-marked",
		Mistake:  "Whether this is of the initial list is asked after the count went down: the last one is not.",
		File:     file,
		Edits:    []conform.Edit{{Old: "\tisInInitialList := !f.hasSynced()\n", New: ""}, {Old: "return deltas, process(deltas, isInInitialList)", New: "return deltas, process(deltas, !f.hasSynced())"}},
		KilledBy: "initial-list-is-marked",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "sync-transformed-again",
		Mistake:  "Everything that is queued goes through the transformer, what comes out of the cache too.",
		File:     file,
		Edits:    conform.Swap("\t\tf.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})\n", "\t\t_ = f.observe(kit.DeltaSync, key, obj)\n"),
		KilledBy: "transformer-runs-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "tombstone-transformed-again",
		Mistake:  "The object of a tombstone goes through the transformer a second time.",
		File:     file,
		Edits:    conform.Swap("\t\t\tf.push(key, tombstone(obj))\n", "\t\t\tif f.transform != nil {\n\t\t\t\tobj, _ = f.transform(obj)\n\t\t\t}\n\t\t\tf.push(key, tombstone(obj))\n"),
		KilledBy: "transformer-runs-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "queued-although-not-transformed",
		Mistake:  "The transformer's error is returned, and what it could not transform is queued all the same.",
		File:     file,
		Edits:    conform.Swap("obj, err = f.transform(obj); err != nil {\n", "obj, err = f.transform(obj); err != nil {\n\t\t\tf.push(key, kit.Delta[T]{Type: what, Object: obj})\n"),
		KilledBy: "transformer-runs-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "process-without-the-lock",
		Mistake:  "The lock is given back while process runs, so that writers need not wait: for that moment the object is nowhere (kubernetes#27004).",
		File:     file,
		Edits:    conform.Swap("return deltas, process(deltas, isInInitialList)", "f.mu.Unlock()\n\terr := process(deltas, isInInitialList)\n\tf.mu.Lock()\n\treturn deltas, err"),
		KilledBy: "process-runs-under-the-lock",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "failed-is-queued-again",
		Mistake:  "Deltas that process failed on are put back, in the hope that it goes better next time.",
		File:     file,
		Edits:    conform.Swap("return deltas, process(deltas, isInInitialList)", "err := process(deltas, isInInitialList)\n\tif err != nil {\n\t\tfor _, d := range deltas {\n\t\t\tf.push(kit.Key(d.Object), d)\n\t\t}\n\t}\n\treturn deltas, err"),
		KilledBy: "failure-does-not-requeue",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "unlock-not-deferred",
		Mistake: "The lock is given back at the end and not in a defer: after a panic of process nobody gets it again.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tdefer f.mu.Unlock() // deferred, for process may panic\n", New: ""},
			{Old: "return nil, kit.ErrFIFOClosed", New: "f.mu.Unlock()\n\t\t\treturn nil, kit.ErrFIFOClosed"},
			{Old: "return deltas, process(deltas, isInInitialList)", New: "err := process(deltas, isInInitialList)\n\tf.mu.Unlock()\n\treturn deltas, err"},
		},
		KilledBy: "failure-does-not-requeue",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:    "resync-wakes-nobody",
		Mistake: "The consumer is woken by what was observed, and forgotten by Resync and by tombstones.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\t\tf.arrived.Signal()\n", New: ""},
			{Old: "\tf.push(key, kit.Delta[T]{Type: what, Object: obj})\n", New: "\tf.push(key, kit.Delta[T]{Type: what, Object: obj})\n\tf.arrived.Signal()\n"},
		},
		KilledBy: "pop-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "woken-so-there-is-work",
		Mistake: "Pop asks once whether the queue is empty, with if and not with a loop: a woken Pop assumes that there is something for it.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "for len(f.queue) == 0 {\n\t\tif f.closed", New: "if len(f.queue) == 0 {\n\t\tif f.closed"},
			{Old: "f.arrived.Signal()", New: "f.arrived.Broadcast()"},
		},
		KilledBy: "pop-waits",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "close-wakes-one",
		Mistake:  "Close signals: of several goroutines in Pop one goes home.",
		File:     file,
		Edits:    conform.Swap("f.arrived.Broadcast()", "f.arrived.Signal()"),
		KilledBy: "close-ends-the-queue",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "close-drops-the-backlog",
		Mistake:  "Pop looks at closed before it looks at what is pending.",
		File:     file,
		Edits:    conform.Swap("for len(f.queue) == 0 {\n\t\tif f.closed", "for f.closed || len(f.queue) == 0 {\n\t\tif f.closed"),
		KilledBy: "close-ends-the-queue",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "tombstones-wake-nobody",
		Mistake:  "A list that brings only deletions wakes no consumer: what was observed does, and so does Resync.",
		File:     file,
		Edits:    conform.Swap("\t\tf.arrived.Signal()\n", "\t\tif !d.FinalStateUnknown {\n\t\t\tf.arrived.Signal()\n\t\t}\n"),
		KilledBy: "pop-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "initial-asked-before-the-wait",
		Mistake: "Whether the key is of the initial list is asked when Pop is called, and Pop may wait for an hour after that.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tisInInitialList := !f.hasSynced()\n", New: ""},
			{Old: "\tfor len(f.queue) == 0 {\n\t\tif f.closed", New: "\tisInInitialList := !f.hasSynced()\n\tfor len(f.queue) == 0 {\n\t\tif f.closed"},
		},
		KilledBy: "initial-list-is-marked",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "dropped-and-transformed",
		Mistake:  "The transformer is called for a deletion that is dropped, and its error is returned.",
		File:     file,
		Edits:    conform.Swap("\tif !f.pending(key) && !f.knows(key) {\n\t\treturn nil\n", "\tif !f.pending(key) && !f.knows(key) {\n\t\tif f.transform != nil {\n\t\t\t_, err := f.transform(obj)\n\t\t\treturn err\n\t\t}\n\t\treturn nil\n"),
		KilledBy: "transformer-runs-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "room-before-the-transformer",
		Mistake: "The key gets its place in the map before the transformer has failed, and counts as pending from then on.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tif f.transform != nil {\n\t\tvar err error\n", New: "\tif !f.pending(key) {\n\t\tf.items[key] = make(kit.Deltas[T], 0, 2)\n\t}\n\tif f.transform != nil {\n\t\tvar err error\n"},
			{Old: "\tdeltas, pending := f.items[key]\n", New: "\tdeltas := f.items[key]\n\tpending := len(deltas) > 0\n"},
		},
		KilledBy: "transformer-runs-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "counted-if-it-went-well",
		Mistake:  "A first Add counts as a call only if its transformer succeeds, so HasSynced waits for a list that need not come.",
		File:     file,
		Edits:    conform.Swap("\tf.begun = true\n\treturn f.observe(kit.DeltaAdded, kit.Key(obj), obj)\n", "\terr := f.observe(kit.DeltaAdded, kit.Key(obj), obj)\n\tf.begun = f.begun || err == nil\n\treturn err\n"),
		KilledBy: "transformer-runs-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "sync-counts-new-keys",
		Mistake: "The first list counts the keys that it has made pending, and not those that a Resync had.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tlisted := make(map[string]struct{}, len(list))\n", New: "\tlisted := make(map[string]struct{}, len(list))\n\tbefore := len(f.queue)\n"},
			{Old: "f.initial = len(f.queue)", New: "f.initial = len(f.queue) - before"},
		},
		KilledBy: "synced-by-the-first-list",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "replace-in-two-steps",
		Mistake:  "Replace gives the lock back between what is listed and what is missing, so that the consumer can begin.",
		File:     file,
		Edits:    conform.Swap("\tf.buryPending(listed)\n", "\tf.mu.Unlock()\n\tf.mu.Lock()\n\tf.buryPending(listed)\n"),
		KilledBy: "cache-follows-the-server",
		Verdict:  verdict.WrongAnswer,
	},
}
