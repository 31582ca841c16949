package deltafifotest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// replacing is the part of the suite about lists, and what they have in common with
// deltas that are pending.
var replacing = []conform.Case[Subject]{
	{
		Name:   "deletion-beats-tombstone",
		Points: 5,
		Func:   "DeltaFIFO.Replace",
		Look:   []string{"the step that appends a delta to those of its key", "DeltaFIFO.Replace"},
		Rule:   "Of a deletion that was seen and a tombstone, one directly after the other, the queue keeps the deletion that was seen, whichever came first.",
		Why:    "The deletion carries the object's last state; the tombstone carries a guess. A handler that frees the address in the guess may free another pod's address.",
		Hint: []string{
			"There are two deletions in a row. Which of them knows more?",
			"If the pending one has FinalStateUnknown set, put the new one in its place. Otherwise drop the new one.",
		},
		Source: "client-go tools/cache/delta_fifo.go: isDeletionDup (no test of upstream fails if the tombstone that came first is kept)",
		Contract: []string{
			"of a deletion that was seen and a tombstone, the one that was seen, whichever came first; of two that were seen, the older",
			"What else their objects say makes no difference",
			"it keeps its place and is in the queue once",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), holding(pod("a", 1), pod("b", 2)))
			must(t, c.delete(pod("a", 3)))
			must(t, c.replace()) // tombstones for both
			must(t, c.delete(another("b", 4)))
			c.close() // so that Pop does not wait for what was not queued
			takeEach(t, c,
				due{"a", []string{"Deleted a@3"}, "a deletion was seen, and then the object was missing in a list"},
				due{"b", []string{"Deleted b@4"}, "an object was missing in a list, and then its deletion was seen"})
			c.end(t)

			c = start(t, open(), holding(pod("a", 1)))
			must(t, c.add(pod("short", 2)))
			must(t, c.replace())
			must(t, c.add(pod("later", 2)))
			must(t, c.delete(pod("a", 3)))
			must(t, c.delete(pod("short", 3))) // which is pending and not known
			c.close()
			c.expect(t, "Added short@2", "Deleted short@3")
			c.expect(t, "Deleted a@3") // in the place of the tombstone
			c.expect(t, "Added later@2")
			c.end(t)

			c = start(t, open(), nil)
			must(t, c.add(pod("a", 1)))
			must(t, c.replace())
			must(t, c.add(pod("a", 3))) // so the tombstone is not directly before what follows
			must(t, c.delete(pod("a", 4)))
			must(t, c.delete(pod("a", 5)))
			must(t, c.replace())
			c.expect(t, "Added a@1", "Tombstone a@1", "Added a@3", "Deleted a@4")
			c.end(t)
			seenAsItWasKnown(t, open())
		},
	},
	{
		Name:   "tombstone-has-the-newest-state",
		Points: 5,
		Func:   "DeltaFIFO.Replace",
		Rule:   "A pending key that is not in the list gets a tombstone too, known or not. The tombstone carries the object of the newest pending delta, and the known object only if no delta is pending.",
		Why:    "An object that came and went while the consumer was busy was never known. Without the tombstone it enters the cache a moment later and stays there.",
		Hint: []string{
			"An object was added, is not popped yet, and is not in the list. What will the consumer believe in the end?",
			"Go through the pending keys as well as the known ones, and give each key one tombstone.",
			"What is pending is newer than what is known: Deltas.Newest().",
		},
		Source: "kubernetes#115620; client-go tools/cache/delta_fifo.go: Replace; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue",
		Contract: []string{
			"then it queues a tombstone for every other key that is pending or known",
			"whose object is that of the newest pending delta of the key or, if none is pending, the known one",
			"Keys that become pending by this stand behind the keys of list",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, known := range []cache{nil, holding(pod("both", 1), pod("known", 2))} {
				c := start(t, open(), known)
				must(t, c.add(pod("pending", 9)))
				must(t, c.update(pod("pending", 10))) // the newest, although "10" comes before "9" among strings
				must(t, c.update(pod("both", 5)))
				must(t, c.replace(pod("new", 6)))
				c.close()
				c.expect(t, "Added pending@9", "Updated pending@10", "Tombstone pending@10")
				c.expect(t, "Updated both@5", "Tombstone both@5")
				c.expect(t, "Replaced new@6")
				if known != nil {
					c.expect(t, "Tombstone known@2")
				}
				c.end(t)
			}

			c := start(t, open(), holding(pod("a", 1)))
			must(t, c.replace(pod("a", 5))) // pending by a list, and newer than the known object
			must(t, c.replace())
			c.expect(t, "Replaced a@5", "Tombstone a@5")
			c.end(t)

			c = start(t, open(), holding(pod("a", 1), pod("newer", 9)))
			must(t, c.update(pod("a", 2)))
			must(t, c.update(pod("newer", 5)))
			must(t, c.replace(pod("a", 3), pod("newer", 4)))
			must(t, c.replace())
			const newest = "the tombstone's object is that of the newest pending delta, the last one, whatever is known"
			c.judgeNext(t, newest, "Updated a@2", "Replaced a@3", "Tombstone a@3")
			c.judgeNext(t, newest, "Updated newer@5", "Replaced newer@4", "Tombstone newer@4")
			c.end(t)
			missingBehindSync(t, open())
		},
	},
	{
		Name:   "replace-keeps-what-is-pending",
		Points: 5,
		Func:   "DeltaFIFO.Replace",
		Look:   []string{"DeltaFIFO.Replace", "the step that appends a delta to those of its key"},
		Rule:   "Replace takes nothing away. A listed key gets its Replaced delta behind all that was pending, a Deleted delta too. A second list adds no second tombstone and loses nothing of the first.",
		Why:    "Deleted and then listed again means that a new object took the name. If the queue drops one of the two, the handler misses the new pod or believes that the old one still runs.",
		Hint: []string{
			"A deletion is pending, and the list has the key. Neither is wrong: what happened between them?",
			"Replaced is appended like any other delta.",
			"A second Replace without the key finds a tombstone as the newest delta. Which state does the tombstone have that you make of it?",
		},
		Source: "kubernetes#83810; client-go tools/cache/delta_fifo.go: Replace; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_replaceWithDeleteDeltaIn",
		Contract: []string{
			"Deltas that are pending stay. In particular, a key with a pending Deleted delta that is in list has both afterwards",
			"Of two Deleted deltas of one key, one directly after the other, the queue keeps one",
			"It merges or drops no other deltas",
			"Delete queues a Deleted delta, if the key of obj is pending or known",
			"whose object is that of the newest pending delta of the key or, if none is pending, the known one",
			"it keeps its place and is in the queue once",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), holding(pod("again", 1), pod("gone", 2), pod("back", 3), pod("seen", 3)))
			must(t, c.delete(pod("again", 4)))
			must(t, c.delete(pod("seen", 4)))
			must(t, c.replace(pod("again", 5), pod("twice", 6), pod("twice", 6)))
			must(t, c.replace(pod("again", 5), pod("back", 3), pod("fresh", 7)))
			must(t, c.delete(pod("again", 8)))
			must(t, c.delete(pod("back", 8)))
			must(t, c.delete(pod("fresh", 8))) // which is pending and not known
			c.close()
			c.expect(t, "Deleted again@4", "Replaced again@5", "Replaced again@5", "Deleted again@8")
			takeEach(t, c,
				due{"seen", []string{"Deleted seen@4"}, "a deletion was seen, and then the key was missing in two lists"},
				due{"twice", []string{"Replaced twice@6", "Replaced twice@6", "Tombstone twice@6"}, "a key was in a list, twice, and is missing in the next"},
				due{"gone", []string{"Tombstone gone@2"}, "a key was missing in two lists, one after the other"},
				due{"back", []string{"Tombstone back@3", "Replaced back@3", "Deleted back@8"}, "a key was missing in one list and is in the next, as it was known before, and then its deletion was seen"})
			c.expect(t, "Replaced fresh@7", "Deleted fresh@8")
			c.end(t)

			c = start(t, open(), nil)
			p := pod("a", 1)
			t.Note("now the calls are for the very same object each time, and once for one of the same version")
			must(t, c.update(p))
			must(t, c.replace(p, p))
			must(t, c.update(p))
			must(t, c.update(pod("a", 1)))
			must(t, c.replace(p))
			c.expect(t, "Updated a@1", "Replaced a@1", "Replaced a@1", "Updated a@1", "Updated a@1", "Replaced a@1")
			c.end(t)
			listOfPendingKeys(t, open())
			pairsOfOneVersion(t, open(), "Added", "Updated", "Replaced", "Deleted", "Tombstone")
		},
	},
	{
		Name:   "resync-skips-the-pending",
		Points: 5,
		Func:   "DeltaFIFO.Resync",
		Rule:   "Resync queues a Sync delta with the known object for every known key that is not pending, and nothing for any other.",
		Why:    "For a pending key the known object is old. A Sync behind the Updated delta would put the old state back into the cache.",
		Hint: []string{
			"A pod's update is pending, and the cache still has the pod as it was. What would a Sync delta behind that update carry?",
			"Leave out the keys that have deltas: the consumer will get to them anyway.",
		},
		Source: "client-go tools/cache/delta_fifo.go: syncKeyLocked; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_UpdateResyncRace, TestDeltaFIFO_Resync, TestDeltaFIFO_ResyncNonExisting",
		Contract: []string{
			"Resync queues a Sync delta for every known object whose key is not pending, in any order. A pending key needs none",
			"then it queues a tombstone for every other key that is pending or known",
			"It merges or drops no other deltas",
			"The queue asks it which objects exist, each time that Delete, Replace or Resync is called",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), holding(pod("a", 1), pod("b", 2), pod("c", 3), pod("d", 3), unversioned("e")))
			must(t, c.update(pod("b", 4)))
			must(t, c.delete(pod("d", 5)))
			must(t, c.add(pod("new", 6)))
			must(t, c.resync())
			must(t, c.resync()) // by now all of them are pending
			c.close()
			c.expect(t, "Updated b@4")
			c.expect(t, "Deleted d@5")
			c.expect(t, "Added new@6")
			const idle = "the key was known and not pending when Resync was called, and others were pending"
			takeEach(t, c, due{"a", []string{"Sync a@1"}, idle}, due{"c", []string{"Sync c@3"}, idle}, due{"e", []string{"Sync e@"}, idle})
			c.end(t)

			c = start(t, open(), nil)
			must(t, c.add(pod("a", 1)))
			must(t, c.resync())
			c.expect(t, "Added a@1")
			must(t, c.resync())
			c.end(t)

			c = start(t, open(), holding(pod("a", 1)))
			must(t, c.resync())
			must(t, c.replace()) // a key with a Sync delta is pending like any other
			c.close()
			c.expect(t, "Sync a@1", "Tombstone a@1")
			c.end(t)
			behindSync(t, open())
			pairsOfOneVersion(t, open(), "Sync")
			askedEachTime(t, open())
		},
	},
	{
		Name:   "synced-by-the-first-list",
		Points: 5,
		Func:   "DeltaFIFO.HasSynced",
		Look:   []string{"DeltaFIFO.Replace", "DeltaFIFO.HasSynced", "DeltaFIFO.Pop"},
		Rule:   "HasSynced becomes true when everything has been popped and processed that was pending after the first Replace: each key once, and tombstones too. No other call changes that.",
		Why:    "A controller that starts on half a list sees a ReplicaSet without its pods, and creates them a second time.",
		Hint: []string{
			"How many Pops does it take until the consumer has seen the whole first list? Do you count objects of the list or keys in the queue?",
			"Tombstones count: the consumer is not up to date before it has seen what is gone.",
			"At the end of the first Replace, and of no other, remember how many keys are pending. Every Pop counts down.",
		},
		Source: "client-go tools/cache/delta_fifo.go: Replace, checkSynced_locked; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_HasSynced, TestDeltaFIFO_HasSyncedCorrectOnDeletion",
		Contract: []string{
			"If Replace is the first call, it becomes true when as many keys have been popped since as Replace left pending: those of its list, each once however often it stands there, and those of its tombstones",
			"once it is true it stays true",
			"It is false at first",
			"While process runs, HasSynced in another goroutine waits, or returns what it would have returned just before that Pop took its key",
			"If Add, Update or Delete is the first call, that call makes it true",
			"The resource version is not used",
			"Resync queues a Sync delta for every known object whose key is not pending",
			"Delete queues a Deleted delta, if the key of obj is pending or known",
			"then it queues a tombstone for every other key that is pending or known",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), holding(pod("gone", 1), pod("lost", 1), pod("a", 2)))
			t.Require(!c.hasSynced(), "Nothing was called yet, and HasSynced is true: it is false at first.")
			must(t, c.replace(pod("a", 3), pod("b", 4), pod("a", 3)))
			must(t, c.add(pod("later", 5)))
			must(t, c.replace(pod("a", 6), pod("more", 7)))
			must(t, c.update(pod("a", 8)))
			must(t, c.delete(pod("b", 8)))
			for popped := range 4 { // a, b, gone and lost
				t.Require(!c.hasSynced(), "The first Replace left 4 keys pending: a and b of its list, in which a stands twice, and the tombstones of gone and lost. %d of them have been popped, and HasSynced is true.", popped)
				c.take(t, nil)
			}
			t.Require(c.hasSynced(), "The first Replace left 4 keys pending: a and b of its list, in which a stands twice, and the tombstones of gone and lost. All have been popped, and HasSynced is false: what came later does not count.")
			must(t, c.replace(pod("a", 9)))
			t.Require(c.hasSynced(), "HasSynced was true, and is false after another Replace: once it is true it stays true.")
			for range 3 { // later, more and a
				c.take(t, nil)
			}
			t.Require(c.hasSynced(), "HasSynced was true, and is false after more was popped: once it is true it stays true.")

			c = start(t, open(), holding(pod("gone", 1), pod("a", 2)))
			must(t, c.resync()) // both are pending, and nothing has been listed
			must(t, c.replace(pod("a", 3)))
			for popped := range 2 {
				t.Require(!c.hasSynced(), "2 keys were pending when the first Replace returned, a and gone (Resync had queued both before); %d of them have been popped, and HasSynced is true.", popped)
				c.take(t, nil)
			}
			t.Require(c.hasSynced(), "2 keys were pending when the first Replace returned, a and gone (Resync had queued both before); both have been popped, and HasSynced is false.")

			c = start(t, open(), holding(pod("a", 1)))
			must(t, c.resync())
			c.take(t, nil) // before the first list, so it does not count
			must(t, c.replace(pod("a", 2)))
			t.Require(!c.hasSynced(), "Resync and Pop were called, which do not count as the first call. Then the first Replace left a pending, which has not been popped since, and HasSynced is true.")
			c.take(t, nil)
			t.Require(c.hasSynced(), "The first Replace left 1 key pending, which has been popped since, and HasSynced is false.")
			onlyTombstones(t, open())
			betweenListAndSync(t, open())
			for _, closed := range []bool{false, true} {
				processIsRunning(t, open(), false, closed)
				processIsRunning(t, open(), true, closed)
			}
			listIsRunning(t, open())
			longFirstList(t, open())
		},
	},
	{
		Name:   "synced-by-anything-else",
		Points: 4,
		Func:   "DeltaFIFO.HasSynced",
		Look:   []string{"DeltaFIFO.HasSynced", "DeltaFIFO.Replace", "DeltaFIFO.Delete"},
		Rule:   "HasSynced is true at once after a first Replace that leaves nothing pending, or when Add, Update or Delete is the first call, even a Delete that is dropped. Resync and Close do not count.",
		Why:    "A controller waits for HasSynced before it starts. If no object of its type exists yet, it would wait for ever.",
		Hint: []string{
			"Your count of what is left is 0 before the first Replace and after an empty one. What tells these two apart?",
			"Keep two fields: whether any call has come yet, and how many keys of the first Replace are left.",
		},
		Source: "client-go tools/cache/delta_fifo.go: populated, initialPopulationCount; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_HasSynced",
		Contract: []string{
			"If it leaves nothing pending, it becomes true at once",
			"that call makes it true, even a Delete that queues nothing or a call whose transformer fails. Resync, Pop, Close and a Replace that fails do not count as the first call",
			"once it is true it stays true",
			"It is false at first",
			"A Pop that waits delays neither HasSynced nor any other call",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			names := []string{"Replace with an empty list, which leaves nothing pending", "Add", "Update", "Delete, even though it queues nothing"}
			first := []func(c client) error{
				func(c client) error { return c.replace() },
				func(c client) error { return c.add(pod("a", 1)) },
				func(c client) error { return c.update(pod("a", 1)) },
				func(c client) error { return c.delete(pod("a", 1)) },
			}
			var answers []string
			wrong := 0
			for n := range 2 * len(first) {
				i, known := n/2, []cache{{}, nil}[n%2]
				call := first[i]
				c := start(t, open(), known)
				must(t, c.resync())
				t.Require(!c.hasSynced(), "Only Resync was called so far, and HasSynced is true: Resync does not count.")
				must(t, call(c))
				synced := c.hasSynced()
				which := names[i]
				if known == nil {
					which += ", where KnownObjects is nil"
				}
				answers = append(answers, fmt.Sprintf("%s: %t", which, synced))
				if !synced {
					wrong++
					continue
				}
				must(t, c.replace(pod("b", 2)))
				t.Require(c.hasSynced(), "HasSynced was true after the first call, %s, and is false after a Replace: once it is true it stays true.", which)
			}
			c := start(t, open(), cache{})
			c.close()
			t.Require(!c.hasSynced(), "Only Close was called so far, and HasSynced is true: it is false at first, and Close does not count.")
			onlyResyncAndClose(t, open())
			askedWhilePopWaits(t, open())
			t.Require(wrong == 0, "The first call after New and Resync makes HasSynced true at once. It was, after each of these calls on a queue of its own, %s.", strings.Join(answers, "; "))
		},
	},
	{
		Name:   "initial-list-is-marked",
		Points: 5,
		Func:   "DeltaFIFO.Pop",
		Rule:   "process gets isInInitialList true for every key that is popped before HasSynced has become true, the last one of the first list too, and false for each key that is popped after that.",
		Why:    "Controllers handle the objects they find at start with low priority. If the last key of a list were not marked, a list with one object would never be marked.",
		Hint: []string{
			"Does your Pop count down first, or does it first ask whether the list is done?",
			"isInInitialList is what HasSynced said before this Pop took its key.",
		},
		Source: "client-go tools/cache/delta_fifo.go: Pop (isInInitialList is computed before the count falls)",
		Contract: []string{
			"isInInitialList is true if HasSynced was false when this Pop took the key",
			"Resync, Pop, Close and a Replace that fails do not count as the first call",
			"A popped key counts when its process has returned",
			"If Replace is the first call, it becomes true when as many keys have been popped since as Replace left pending: those of its list, each once however often it stands there, and those of its tombstones",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), holding(pod("gone", 1)))
			must(t, c.replace(pod("a", 2)))
			must(t, c.add(pod("later", 3)))
			for popped, want := range []bool{true, true, false} {
				t.Require(c.hasSynced() == !want, "The first Replace left 2 keys pending, a and the tombstone of gone; keys popped since: %d. HasSynced is %t, and should be %t.", popped, want, !want)
				deltas, initial := c.take(t, nil)
				t.Require(initial == want, "For %[2]v process got isInInitialList %[1]t. HasSynced was %[3]t when Pop took that key, and isInInitialList is the opposite.", initial, render(deltas), !want)
			}
			c.end(t)

			c = start(t, open(), holding(pod("a", 1)))
			must(t, c.resync())
			_, initial := c.take(t, nil)
			t.Require(initial, "Only Resync was called, which does not count, so HasSynced was false when Pop took the key, and process got isInInitialList false: it is the opposite.")
			c.end(t)

			c = start(t, open(), nil)
			must(t, c.add(pod("a", 1)))
			must(t, c.replace(pod("a", 2)))
			_, initial = c.take(t, nil)
			t.Require(!initial, "Add was the first call, which made HasSynced true, and process got isInInitialList true.")
			c.end(t)

			for _, listed := range []bool{true, false} { // and Pop has waited since before
				c = start(t, open(), nil)
				told := make(chan bool, 1)
				t.Go("consumer", func(a *conform.Actor) {
					_, _ = c.as(a).pop(func(_ kit.Deltas[*kit.Pod], isInInitialList bool) error {
						told <- isInInitialList
						return nil
					})
				})
				t.Wait()
				if listed {
					must(t, c.replace(pod("a", 1)))
				} else {
					must(t, c.add(pod("a", 1)))
				}
				t.Join()
				got := <-told
				t.Require(got == listed, "A Pop waited until the first call queued a key, and process got isInInitialList %t. HasSynced was %t when Pop took the key, after the wait, and isInInitialList is the opposite.", got, !listed)
				c.end(t)
			}
			markedWhateverItIs(t, open())
			markedWithoutItsTombstone(t, open())
			notMarkedBehindTheLast(t, open())
		},
	},
}

// seenAsItWasKnown has deletions be seen behind a tombstone of the same state, and of a newer one. Nothing
// in the objects tells the two deletions apart, and the one that was seen is kept all the same.
func seenAsItWasKnown(t *conform.T, s Subject) {
	itself := pod("itself", 5)
	c := start(t, s, holding(itself, pod("same", 5), pod("older", 5), unversioned("none")))
	short := pod("short", 5)
	must(t, c.add(short)) // pending and not known
	must(t, c.replace())
	t.Note("the next Delete is for the very object that is known, and the last one for the very object that was added")
	must(t, c.delete(itself))
	must(t, c.delete(pod("same", 5)))
	must(t, c.delete(pod("older", 4)))
	must(t, c.delete(unversioned("none")))
	must(t, c.delete(short))
	c.close()
	const why = "an object was missing in a list, and then its deletion was seen, which the queue keeps: what else their objects say makes no difference"
	takeEach(t, c,
		due{"itself", []string{"Deleted itself@5"}, why}, due{"same", []string{"Deleted same@5"}, why},
		due{"older", []string{"Deleted older@4"}, why}, due{"none", []string{"Deleted none@"}, why},
		due{"short", []string{"Added short@5", "Deleted short@5"}, why})
	c.end(t)
}

// kinds are ways to queue a delta of each kind for the pods, which are all that is known.
var kinds = []struct {
	delta string // as render writes it
	queue func(c client, pods ...*kit.Pod) error
}{
	{"Added", func(c client, pods ...*kit.Pod) error { return each(pods, c.add) }},
	{"Updated", func(c client, pods ...*kit.Pod) error { return each(pods, c.update) }},
	{"Replaced", client.replace},
	{"Deleted", func(c client, pods ...*kit.Pod) error { return each(pods, c.delete) }},
	{"Tombstone", func(c client, _ ...*kit.Pod) error { return c.replace() }},
	{"Sync", func(c client, _ ...*kit.Pod) error { return c.resync() }}, // if nothing is pending
}

// each makes a call for each pod, until one fails.
func each(pods []*kit.Pod, call func(*kit.Pod) error) error {
	for _, p := range pods {
		if err := call(p); err != nil {
			return err
		}
	}
	return nil
}

// pairsOfOneVersion has a delta of each of these kinds, and behind it one of each kind that can come there, all
// with objects of the version that is known, or with the very object that is known.
func pairsOfOneVersion(t *conform.T, s Subject, firsts ...string) {
	for _, first := range kinds {
		if !slices.Contains(firsts, first.delta) {
			continue
		}
		for _, second := range kinds {
			deletes := []string{"Deleted", "Tombstone"}
			if second.delta == "Sync" || slices.Contains(deletes, first.delta) && slices.Contains(deletes, second.delta) {
				continue // a pending key gets no Sync, and of two deletions in a row one is kept
			}
			for _, itself := range []bool{false, true} {
				known := pod("a", 1)
				c := start(t, s, holding(known))
				object := func() *kit.Pod {
					if itself {
						return known
					}
					return pod("a", 1)
				}
				if itself {
					t.Note("the next calls are for the very object that is known")
				}
				must(t, first.queue(c, object()))
				must(t, second.queue(c, object()))
				c.close()
				c.judgeNext(t, "the queue merges or drops no other deltas than two deletions in a row, whatever versions their objects have", first.delta+" a@1", second.delta+" a@1")
				c.end(t)
			}
		}
	}
}

// missingBehindSync has a list in which a key is missing whose newest pending delta is a Sync. The process of
// another key has changed the known object meanwhile.
func missingBehindSync(t *conform.T, s Subject) {
	known := holding(pod("a", 1))
	c := start(t, s, known)
	must(t, c.add(pod("first", 1)))
	must(t, c.resync())
	_, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error {
		known.apply(kit.Deltas[*kit.Pod]{{Type: kit.DeltaUpdated, Object: pod("a", 2)}})
		return nil
	})
	must(t, err)
	t.Note("process, which got first, has made a@2 the known object; known are %v now", known)
	must(t, c.replace())
	c.close()
	c.judgeNext(t, "the tombstone's object is that of the newest pending delta of the key, whatever is known", "Sync a@1", "Tombstone a@1")
	c.end(t)
}

// behindSync has deltas of each kind come behind a Sync delta.
func behindSync(t *conform.T, s Subject) {
	c := start(t, s, holding(pod("a", 1), pod("b", 1), pod("c", 1), pod("d", 1), pod("e", 1)))
	must(t, c.resync())
	must(t, c.add(pod("e", 2)))
	must(t, c.update(pod("a", 2)))
	must(t, c.delete(pod("b", 2)))
	must(t, c.replace(pod("c", 3), pod("e", 3)))
	c.close()
	const why = "Resync had queued the Sync delta, which stays: the queue merges or drops no other deltas than two deletions in a row"
	takeEach(t, c,
		due{"a", []string{"Sync a@1", "Updated a@2", "Tombstone a@2"}, why}, due{"b", []string{"Sync b@1", "Deleted b@2"}, why},
		due{"c", []string{"Sync c@1", "Replaced c@3"}, why}, due{"d", []string{"Sync d@1", "Tombstone d@1"}, why},
		due{"e", []string{"Sync e@1", "Added e@2", "Replaced e@3"}, why})
	c.end(t)
}

// listOfPendingKeys has a list whose order is not that in which its keys became pending.
func listOfPendingKeys(t *conform.T, s Subject) {
	c := start(t, s, nil)
	for _, name := range []string{"b", "c", "a"} {
		must(t, c.add(pod(name, 2)))
	}
	must(t, c.replace(pod("a", 3), pod("b", 1), pod("c", 2), pod("new", 3)))
	const why = "b, c and a were pending, in this order, when Replace was called with a, b, c and new: a pending key keeps its place, and its delta is queued whatever its version"
	c.judgeNext(t, why, "Added b@2", "Replaced b@1")
	c.judgeNext(t, why, "Added c@2", "Replaced c@2")
	c.judgeNext(t, why, "Added a@2", "Replaced a@3")
	c.judgeNext(t, why, "Replaced new@3")
	c.end(t)
}

// askedEachTime has the known objects change between two calls of Resync, and between two of Replace.
func askedEachTime(t *conform.T, s Subject) {
	for what, name := range []string{"Resync", "Replace"} {
		known := holding(pod("stays", 1), pod("goes", 1), pod("changes", 1))
		c := start(t, s, known)
		call := func(list ...*kit.Pod) error {
			if what == 0 {
				return c.resync()
			}
			return c.replace(list...)
		}
		must(t, call(pod("stays", 1), pod("goes", 1), pod("changes", 1)))
		must(t, c.add(pod("comes", 2)))
		must(t, c.delete(pod("goes", 2)))
		must(t, c.update(pod("changes", 2)))
		for range 4 {
			c.take(t, known)
		}
		t.Note("known are %v now", known)
		must(t, call())
		c.close()
		delta := []string{"Sync ", "Tombstone "}[what]
		why := name + " was called with other objects known before, and the queue asks which objects exist each time"
		takeEach(t, c, due{"stays", []string{delta + "stays@1"}, why}, due{"comes", []string{delta + "comes@2"}, why}, due{"changes", []string{delta + "changes@2"}, why})
		c.end(t)
	}
}

// due is what a Pop has to return for one key.
type due struct {
	key  string
	want []string
	why  string
}

// takeEach pops as many keys as are due, in any order, and looks at all of them before it judges.
func takeEach(t *conform.T, c client, all ...due) {
	lines := make([]string, len(all))
	for i, d := range all {
		lines[i] = "[" + strings.Join(d.want, ", ") + "]"
	}
	c.due = ": due were, in any order, " + strings.Join(lines, ", ")
	got := take(t, c, len(all))
	var wrong, right []string
	for i, d := range all {
		if slices.Equal(got[d.key], d.want) {
			right = append(right, "["+strings.Join(d.want, ", ")+"]")
			continue
		}
		line := fmt.Sprintf("Pop returned [%s], and should have returned [%s]", strings.Join(got[d.key], ", "), strings.Join(d.want, ", "))
		same := slices.ContainsFunc(all[:i], func(before due) bool { return before.why == d.why && !slices.Equal(got[before.key], before.want) })
		if !same { // a reason stands once, with the first to which it applies
			line += ": " + d.why
		}
		wrong = append(wrong, line+".")
	}
	if len(right) > 0 {
		right = []string{" Right were " + strings.Join(right, ", ") + "."}
	}
	t.Require(len(wrong) == 0, "%s%s", strings.Join(wrong, " "), strings.Join(right, ""))
}

// take pops n keys whose order is open, and returns what each had.
func take(t *conform.T, c client, n int) map[string][]string {
	got := map[string][]string{}
	for range n {
		deltas, _ := c.take(t, nil)
		nobody := func(d kit.Delta[*kit.Pod]) bool { return d.Object == nil }
		t.Require(!slices.ContainsFunc(deltas, nobody), "Pop returned %v, a delta without its object: a tombstone has the state that was last known.", render(deltas))
		got[deltas[0].Object.Name] = render(deltas)
	}
	return got
}
