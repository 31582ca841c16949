package deltafifotest

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "deltas-in-order",
		Points: 5,
		Func:   "DeltaFIFO.Pop",
		Look:   []string{"the step that appends a delta to those of its key", "DeltaFIFO.Pop"},
		Rule:   "Pop returns all that has happened to one object since it was last popped, the oldest first. Only two deletions in a row are merged.",
		Why:    "An object that is deleted and created again is another object. A handler that sees only the newest state never learns that the first one has gone.",
		Hint: []string{
			"What do you keep for a key: an object, or a list of what happened to it?",
			"map[string]kit.Deltas[T]: every call appends one delta to the list of its key.",
		},
		Source: "client-go tools/cache/delta_fifo.go: queueActionInternalLocked; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_addUpdate",
		Contract: []string{
			"what happened to that object, in order",
			"Pop takes the key at the head of the queue with all of its deltas, the oldest first",
			"It merges or drops no other deltas",
			"Add queues an Added delta",
			"Update queues an Updated delta",
			"Delete queues a Deleted delta, if the key of obj is pending or known",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), nil)
			must(t, c.add(pod("a", 1)))
			must(t, c.update(pod("a", 2)))
			must(t, c.update(pod("a", 2))) // said twice: it stays said twice
			must(t, c.update(pod("a", 3))) // of the same type and not equal: not the same mistake
			must(t, c.delete(pod("a", 4)))
			must(t, c.add(pod("a", 5)))
			must(t, c.add(pod("a", 5)))
			must(t, c.add(pod("a", 6)))
			c.expect(t, "Added a@1", "Updated a@2", "Updated a@2", "Updated a@3", "Deleted a@4", "Added a@5", "Added a@5", "Added a@6")
			twice := pod("a", 7)
			must(t, c.update(twice))
			t.Note("the next Update is for the very same object")
			must(t, c.update(twice)) // changed in place perhaps, and changed all the same
			c.expect(t, "Updated a@7", "Updated a@7")
			c.end(t)
			unlikeTheKnown(t, open())
			versionsThatFall(t, open())
		},
	},
	{
		Name:   "keys-in-order",
		Points: 5,
		Func:   "DeltaFIFO.Pop",
		Look:   []string{"DeltaFIFO.Add", "DeltaFIFO.Pop", "the step that gives a key its place in the queue"},
		Rule:   "Keys are popped in the order in which they became pending. Further deltas do not move a key, and a key is in the queue once.",
		Why:    "If every change put its object at the end of the queue, the object that changes most would be the last that anybody looks at.",
		Hint: []string{
			"When does a key enter the queue, and when does it not?",
			"It enters when it has no deltas yet. Look into the map before you append to the queue.",
		},
		Source: "client-go tools/cache/delta_fifo.go: queueActionInternalLocked; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_detectLineJumpers",
		Contract: []string{
			"A key that becomes pending goes to the tail of the queue. Further deltas of a pending key are appended to those it has: it keeps its place and is in the queue once",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), nil)
			must(t, c.add(pod("c", 1)))
			must(t, c.add(pod("a", 2)))
			must(t, c.add(pod("b", 3)))
			must(t, c.update(pod("c", 4)))
			must(t, c.update(pod("b", 5)))
			must(t, c.update(pod("a", 6)))
			c.expect(t, "Added c@1", "Updated c@4")
			must(t, c.update(pod("c", 7))) // popped before: now behind the others
			must(t, c.delete(pod("a", 8)))
			c.expect(t, "Added a@2", "Updated a@6", "Deleted a@8")
			c.expect(t, "Added b@3", "Updated b@5")
			c.expect(t, "Updated c@7")
			c.end(t)

			c = start(t, open(), nil)
			must(t, c.add(node("n", 1))) // without a namespace the key is the name
			must(t, c.update(node("n", 2)))
			must(t, c.delete(node("n", 3)))
			c.expect(t, "Added n@1", "Updated n@2", "Deleted n@3")
			c.end(t)
		},
	},
	{
		Name:   "adjacent-deletions-are-one",
		Points: 5,
		Func:   "DeltaFIFO.Delete",
		Look:   []string{"the step that appends a delta to those of its key"},
		Rule:   "Of two deletions of a key that were seen, one directly after the other, the queue keeps the older one. With another delta between them it keeps both.",
		Why:    "A relist and a watch can report the same deletion. But delete, create, delete means that two pods went, not one.",
		Hint: []string{
			"Which delta tells you whether this deletion brings news?",
			"The last one alone. If it is a Deleted as well, there is nothing to append.",
		},
		Source: "client-go tools/cache/delta_fifo.go: dedupDeltas, isDeletionDup",
		Contract: []string{
			"Of two Deleted deltas of one key, one directly after the other, the queue keeps one",
			"of two that were seen, the older; of two tombstones either, because the second would carry the object of the first. What else their objects say makes no difference. It merges or drops no other deltas",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), nil)
			must(t, c.add(pod("a", 1)))
			must(t, c.delete(pod("a", 2)))
			must(t, c.delete(pod("a", 3)))
			must(t, c.add(pod("b", 4))) // of another key: it stands between nothing
			must(t, c.delete(pod("a", 5)))
			must(t, c.add(pod("a", 6)))
			must(t, c.delete(pod("a", 7)))
			must(t, c.delete(pod("a", 8)))
			must(t, c.update(pod("a", 9)))
			must(t, c.delete(pod("a", 10)))
			c.expect(t, "Added a@1", "Deleted a@2", "Added a@6", "Deleted a@7", "Updated a@9", "Deleted a@10")
			c.expect(t, "Added b@4")
			c.end(t)

			c = start(t, open(), nil)
			must(t, c.add(pod("a", 1)))
			must(t, c.delete(pod("a", 2)))
			t.Note("the next Delete is for an object of which all else is different, from the UID to the finalizers")
			must(t, c.delete(another("a", 3)))
			c.expect(t, "Added a@1", "Deleted a@2")
			c.end(t)
		},
	},
	{
		Name:   "unknown-deletion-is-dropped",
		Points: 5,
		Func:   "DeltaFIFO.Delete",
		Rule:   "Delete drops the deletion of an object that is neither pending nor known, without an error. If the object is one of the two, Delete queues it.",
		Why:    "After a relist the watch may report a deletion that a tombstone has reported already. A handler that frees an address must not free it twice.",
		Hint: []string{
			"Can the consumer still do something with this deletion? Where can you look up what it knows of the object?",
			"In two places: the pending deltas, and KnownObjects.GetByKey. Without known objects there is only the first.",
		},
		Source:   "client-go tools/cache/delta_fifo.go: Delete; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_DeleteExistingNonPropagated, TestDeltaFIFO_enqueueingWithLister",
		Contract: []string{"Delete queues a Deleted delta, if the key of obj is pending or known", "Delete queues nothing, and that is no error", "queue of keys (those of kit.Key)"},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), holding(pod("known", 1)))
			must(t, c.delete(pod("neither", 2)))
			must(t, c.delete(pod("known", 3)))
			must(t, c.add(pod("pending", 4)))
			must(t, c.delete(pod("pending", 5)))
			c.close() // so that Pop does not wait for what was not queued
			c.expect(t, "Deleted known@3")
			c.expect(t, "Added pending@4", "Deleted pending@5")
			c.end(t)

			c = start(t, open(), holding(pod("known", 1)))
			must(t, c.add(pod("pending", 4)))
			must(t, c.delete(pod("pending", 5)))
			c.expect(t, "Added pending@4", "Deleted pending@5")
			must(t, c.delete(pod("pending", 6)))
			c.close()
			left := c.rest(t)
			t.Require(len(left) == 0, "pending was popped, and process did not make it known, so it is neither pending nor known. Delete(pending@6) was called then, and queued %s: it queues nothing.", strings.Join(left, " "))

			c = start(t, open(), nil)
			must(t, c.delete(pod("a", 1)))
			must(t, c.add(pod("a", 2)))
			must(t, c.delete(pod("a", 3)))
			c.expect(t, "Added a@2", "Deleted a@3")
			must(t, c.delete(pod("a", 3)))
			c.end(t)

			c = start(t, open(), holding(node("known", 1))) // without a namespace the key is the name
			must(t, c.delete(node("known", 1)))             // and the version that is known is as good as any other
			c.close()
			c.judgeNext(t, "known is an object without a namespace, and kit.Key of that is its name alone", "Deleted known@1")
			c.end(t)

			known := pod("known", 5)
			c = start(t, open(), holding(known, pod("newer", 9)))
			must(t, c.delete(known)) // the very object
			must(t, c.delete(pod("newer", 5)))
			c.close()
			c.expect(t, "Deleted known@5")
			c.expect(t, "Deleted newer@5")
			c.end(t)
		},
	},
	{
		Name:   "replace-finds-the-missing",
		Points: 6,
		Func:   "DeltaFIFO.Replace",
		Rule:   "Replace queues a Replaced delta for each object of the list, in order, and then a tombstone with the last known state for each other key that is pending or known.",
		Why:    "Nobody sees the deletions that happen while a watch is broken. In the list that follows, the objects are simply missing.",
		Hint: []string{
			"After a broken watch you get a list. How do you find out which objects were deleted meanwhile?",
			"Collect the keys of the list in a set. Every known key that is not in it gets a Deleted delta with FinalStateUnknown set.",
			"The object of the tombstone is the one that KnownObjects still has. A handler needs it to know which address to free.",
		},
		Source: "client-go tools/cache/delta_fifo.go: Replace; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_ReplaceMakesDeletions, TestDeltaFIFO_ReplaceMakesDeletionsReplaced; kubernetes#8822, kubernetes#86015",
		Contract: []string{
			"it queues a Replaced delta for every object of list, in the order of list",
			"then it queues a tombstone for every other key that is pending or known",
			"whose object is that of the newest pending delta of the key or, if none is pending, the known one",
			"If KnownObjects is nil, no object is known, and the queue goes by the pending deltas alone",
			"queue of keys (those of kit.Key)",
			"Replace says that the objects of list are all there are, none if it is nil or empty",
			"The slice list stays the caller's: Replace never writes to it or to the rest of the array behind it",
			"The resource version is not used",
			"If Transformer is nil, objects are queued as they are",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), holding(pod("a", 1), pod("gone", 2), pod("b", 3)))
			must(t, c.replace(pod("new", 4), pod("b", 5), pod("a", 1)))
			c.close() // so that Pop does not wait for what was not queued
			c.expect(t, "Replaced new@4")
			c.expect(t, "Replaced b@5")
			c.expect(t, "Replaced a@1")
			c.expect(t, "Tombstone gone@2")
			c.end(t)

			c = start(t, open(), holding(node("there", 1), node("gone", 2))) // without a namespace
			must(t, c.replace(node("there", 3)))
			c.close()
			c.expect(t, "Replaced there@3")
			c.judgeNext(t, "gone is known and not in the list, whose resource version is not used", "Tombstone gone@2")
			c.end(t)

			c = start(t, open(), holding(pod("known", 1), pod("same", 1))) // and the first two names exist elsewhere, too
			must(t, c.add(pod("pending", 2)))
			must(t, c.replace(elsewhere("known", 3), elsewhere("pending", 3), pod("same", 1)))
			c.close()
			c.expect(t, "Added pending@2", "Tombstone pending@2")
			c.expect(t, "Replaced other/known@3")
			c.expect(t, "Replaced other/pending@3")
			c.expect(t, "Replaced same@1") // as it is known: whether that is news is for the consumer to say
			c.expect(t, "Tombstone known@1")
			c.end(t)

			listedAsKnown(t, open(), false)
			listedAsKnown(t, open(), true)
			readMeanwhile(t, open())
			for _, none := range [][]*kit.Pod{nil, {}} {
				c = start(t, open(), holding(pod("gone", 1)))
				must(t, c.replace(none...))
				c.close()
				c.expect(t, "Tombstone gone@1")
				c.end(t)
			}

			c = start(t, open(), holding(unversioned("there"), unversioned("gone"))) // as objects that nobody has stored
			must(t, c.replace(unversioned("there"), unversioned("new")))
			c.close()
			c.expect(t, "Replaced there@")
			c.expect(t, "Replaced new@")
			c.expect(t, "Tombstone gone@")
			c.end(t)

			c = start(t, open(), nil) // knows of nobody who could be missing
			must(t, c.replace(pod("a", 1)))
			c.expect(t, "Replaced a@1")
			must(t, c.replace())
			c.end(t)
		},
	},
	{
		Name:   "pop-waits",
		Points: 5,
		Func:   "DeltaFIFO.Pop",
		Look:   []string{"DeltaFIFO.Pop", "the step that wakes a waiting Pop", "New"},
		Rule:   "With nothing pending Pop waits. Each key that becomes pending, by whatever call, lets one waiting Pop continue.",
		Why:    "A cluster at rest must cost nothing, and the first change after an hour must not lie in the queue while the consumer sleeps.",
		Hint: []string{
			"What wakes a waiting Pop? Does that happen wherever a key can become pending?",
			"sync.Cond: Wait in a loop around the question whether the queue is empty; Signal or Broadcast where a key is put into the queue.",
			"If all your calls append their deltas through one function, there is only one place for it.",
		},
		Source:   "client-go tools/cache/delta_fifo.go: Pop, queueActionInternalLocked",
		Contract: []string{"While nothing is pending, it waits; every key that becomes pending lets one waiting Pop continue"},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const consumers = 4
			fresh := func() client {
				return start(t, open(), holding(pod("known", 1), pod("other", 2), pod("third", 2), pod("fourth", 2)))
			}
			c := fresh()
			calls := []func() error{
				func() error { return c.add(pod("a", 3)) },
				func() error { return c.update(pod("a", 4)) },
				func() error { return c.delete(pod("known", 5)) },
				func() error { return c.replace(pod("known", 6), pod("other", 6), pod("third", 6), pod("fourth", 6)) },
				func() error { return c.resync() },
				func() error { return c.replace() }, // tombstones alone
			}
			names := []string{"Add", "Update", "Delete of a known object", "Replace with 4 objects", "Resync with 4 known objects", "Replace that misses 4 known objects"}
			var answers []string
			wrong := 0
			for i, queues := range []int{1, 1, 1, 4, 4, 4} {
				got := park(t, c, consumers)
				t.Require(len(got) == 0, "Nothing is pending, and %d of %d goroutines that called Pop did not wait: it returned.%s", len(got), consumers, c.after())
				must(t, calls[i]())
				t.Wait()
				answers = append(answers, fmt.Sprintf("%s, %d of %d", names[i], len(got), queues))
				if len(got) != queues {
					wrong++
					t.Breaks("%s made %d keys pending, and %d of the %d goroutines that wait in Pop returned", names[i], queues, len(got), consumers)
					c.close() // for those that still wait, and the next call has a queue of its own
					t.Wait()
					c = fresh()
					continue
				}
				for n := range consumers - queues {
					must(t, c.add(pod(fmt.Sprintf("b%d", n), 7))) // for one that still waits
				}
				t.Wait()
				t.Require(len(got) == consumers, "%d goroutines waited in Pop, and %s was called, and then Add until a key was pending for each of them. %d of the Pops wait still.%s", consumers, names[i], consumers-len(got), c.after())
				t.Join()
			}
			t.Require(wrong == 0, "%d goroutines waited in Pop, and each key that becomes pending lets one of them continue, the others wait on. How many returned, of how many that should, after each call: %s.", consumers, strings.Join(answers, "; "))
			c.end(t)
			wakesItsOwn(t, open())
			takenByAnother(t, open())
			for range 2 {
				listBehindTwoPops(t, open())
			}
		},
	},
}

// unlikeTheKnown has calls for objects that are known or not: a delta says what was called, and not
// what is known.
func unlikeTheKnown(t *conform.T, s Subject) {
	itself := pod("itself", 1)
	c := start(t, s, holding(pod("known", 1), pod("same", 1), pod("newer", 9), itself))
	must(t, c.add(pod("known", 2)))
	must(t, c.update(pod("unknown", 3)))
	must(t, c.update(pod("same", 1)))
	must(t, c.update(pod("newer", 5)))
	t.Note("the next Update is for the very object that is known")
	must(t, c.update(itself))
	c.close()
	c.expect(t, "Added known@2")
	c.expect(t, "Updated unknown@3")
	c.expect(t, "Updated same@1")
	c.expect(t, "Updated newer@5")
	c.expect(t, "Updated itself@1")
	c.end(t)
}

// versionsThatFall has calls for objects that are older than what is pending, as after a restore of
// the server's database.
func versionsThatFall(t *conform.T, s Subject) {
	c := start(t, s, nil)
	must(t, c.update(pod("a", 9)))
	must(t, c.update(pod("a", 8)))
	must(t, c.add(pod("a", 7)))
	must(t, c.delete(pod("a", 6)))
	must(t, c.add(pod("a", 5)))
	must(t, c.update(unversioned("a")))
	c.judgeNext(t, "the queue merges or drops no other deltas than two deletions in a row, whatever versions their objects have",
		"Updated a@9", "Updated a@8", "Added a@7", "Deleted a@6", "Added a@5", "Updated a@")
	c.end(t)
}

// listedAsKnown has a list with the very object that is known, and with one that is older, as the first list
// or as a later one.
func listedAsKnown(t *conform.T, s Subject, later bool) {
	itself := pod("itself", 1)
	known := holding(itself, pod("newer", 9))
	c := start(t, s, known)
	if later {
		must(t, c.replace(itself, pod("newer", 9)))
		c.take(t, known)
		c.take(t, known)
	}
	t.Note("the next Replace is with the very object that is known as itself")
	must(t, c.replace(itself, pod("newer", 5)))
	c.close()
	const why = "Replace queues a Replaced delta for every object of list, for the very object that is known as well"
	c.judgeNext(t, why, "Replaced itself@1")
	c.judgeNext(t, why+", and for one that is older", "Replaced newer@5")
	c.end(t)
}
