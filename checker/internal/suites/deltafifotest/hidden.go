package deltafifotest

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(replacing, popping, models)

// popping is the part of the suite about the consumer's side.
var popping = []conform.Case[Subject]{
	{
		Name:   "transformer-runs-once",
		Points: 5,
		Func:   "Options.Transformer",
		Look:   conform.Anywhere,
		Rule:   "The transformer sees once every object that is queued as Added, Updated, Replaced or Deleted, and no object of a Sync delta or a tombstone. If it fails, Add, Update and Delete return its error as it is and queue nothing, and Replace returns an error and is no first call.",
		Why:    "It usually drops half of the object to save memory. An object from the cache has lost that half already, and readers hold it: changing it again races with all of them.",
		Hint: []string{
			"Where does an object in a Sync delta or in a tombstone come from? Was it transformed before?",
			"Four of your calls bring objects from outside. Let these objects, and no others, go through one function that transforms them.",
			"Check its error before you touch the queue.",
		},
		Source: "client-go tools/cache/delta_fifo.go: queueActionInternalLocked; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_transformer (no test of upstream fails if tombstones are transformed)",
		Contract: []string{
			"Add and Update call it once for their object. Replace calls it once for each element of list, so twice for an object that is listed twice",
			"If a call of it fails, that call is not repeated",
			"It is never called for a Sync delta or a tombstone",
			"A panic goes on to the caller of Add, Update, Delete or Replace with its own value, and the queue can be used as before",
			"It is called under the lock of the queue, so calls never overlap each other or process",
			"Delete calls it once if the key is pending or known, even if an older deletion is kept",
			"If the transformer fails, Add returns its error as it is and queues nothing. The same holds for Update and Delete",
			"If the transformer fails, Replace returns an error, its own or the transformer's, queues no tombstone, and is not the first call in the sense of HasSynced",
			"The slice list stays the caller's: Replace never writes to it or to the rest of the array behind it, not even if it fails, and does not read it after returning",
			"every key that becomes pending lets one waiting Pop continue",
			"of a deletion that was seen and a tombstone, the one that was seen, whichever came first",
			"Replace says that the objects of list are all there are, none if it is nil or empty. In one step",
			"If Replace is the first call, it becomes true when as many keys have been popped since as Replace left pending",
			"then it queues a tombstone for every other key that is pending or known",
			"Deltas that are pending stay",
			"A key is pending from its first delta until Pop takes it, with all of its deltas",
			"Delete queues a Deleted delta, if the key of obj is pending or known",
			"Delete queues nothing, and that is no error, even if the transformer returns one for obj",
			"what it returns is queued in its place",
			"that call makes it true, even a Delete that queues nothing or a call whose transformer fails",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			known := cache{}
			c := startWith(t, open(), Options{KnownObjects: known, Transformer: mark})
			must(t, c.replace(pod("a", 1), pod("b", 2)))
			c.takes(t, known, "Replaced a@1+")
			c.takes(t, known, "Replaced b@2+")
			must(t, c.resync())
			synced := take(t, c, 2)
			same(t, synced["a"], []string{"Sync a@1+"}, marks)
			same(t, synced["b"], []string{"Sync b@2+"}, marks)
			must(t, c.update(pod("a", 3)))
			must(t, c.add(pod("new", 4)))
			must(t, c.delete(pod("b", 5)))
			must(t, c.replace(pod("new", 6), pod("new", 6)))
			must(t, c.replace(pod("new", 7)))
			c.takes(t, known, "Updated a@3+", "Tombstone a@3+")
			c.takes(t, known, "Added new@4+", "Replaced new@6+", "Replaced new@6+", "Replaced new@7+")
			c.takes(t, known, "Deleted b@5+")
			must(t, c.replace())
			c.takes(t, known, "Tombstone new@7+")

			must(t, c.add(pod("a", 8)))
			must(t, c.update(pod("a", 9)))
			refused(t, "Add", c.add(pod("a", 666)))
			refused(t, "Update", c.update(pod("a", 666)))
			refused(t, "Delete", c.delete(pod("a", 666)))
			t.Require(c.replace(pod("a", 666)) != nil, "The transformer failed, and Replace returned no error.")
			c.close() // so that Pop does not wait for what was taken away
			c.takes(t, known, "Added a@8+", "Updated a@9+")
			c.end(t)
			failures(t, open())
			onceForEach(t, open())
			twiceForTwice(t, open())
			listIsTheCallers(t, open(), false)
			listIsTheCallers(t, open(), true)
			pendingInList(t, open())
			resultIsQueued(t, open())
			deletedWhileItIsPopped(t, open())
			replacedWhileItIsPopped(t, open())
			transformedOneByOne(t, open())
			panicIsFailure(t, open())
			failures(t, panicking(t, open()))
		},
	},
	{
		Name:   "process-runs-under-the-lock",
		Points: 6,
		Func:   "DeltaFIFO.Pop",
		Look:   []string{"DeltaFIFO.Pop", "DeltaFIFO.Replace", "a call that came meanwhile, as DeltaFIFO.Add"},
		Rule:   "While process runs no other process is called, nor the transformer, and no Add, Update, Delete, Replace or Resync has any effect or returns: leaving the queue and becoming known is one step.",
		Why:    "Between leaving the queue and entering the cache an object is in neither. A list that comes at that moment sees nothing to delete, and the deletion is lost for good.",
		Hint: []string{
			"Your Pop has taken a key off the queue, and process has not put the object into the cache yet. Where does a Replace that comes now find it?",
			"Call process before you unlock.",
		},
		Source: "kubernetes#27004; client-go tools/cache/delta_fifo.go: Pop (no test of upstream fails if process runs without the lock)",
		Contract: []string{
			"no Add, Update, Delete, Replace or Resync of another goroutine has any effect or returns until process has returned, and no other Pop calls its process",
			"This holds for calls that queue nothing, too",
			"process can bring the known objects in step with the deltas before any other goroutine looks at either",
			"It is called under the lock of the queue, so calls never overlap each other or process",
			"While process runs, HasSynced in another goroutine waits, or returns what it would have returned just before that Pop took its key",
			"Resync, Pop, Close and a Replace that fails do not count as the first call",
			"If Replace is the first call, it becomes true when as many keys have been popped since as Replace left pending",
			"It must not call this queue (another one it may)",
			"The queue asks only while it holds its own lock, and process is called under that lock",
			"must not call this queue (another one it may)",
		},
		Check: func(t *conform.T, open func() Subject) {
			// Outside a bubble, where a goroutine that waits for a lock counts as blocked.
			calls := []func(c client) error{
				func(c client) error { return c.replace() },
				func(c client) error { return c.delete(pod("a", 2)) },
				func(c client) error { return c.update(pod("a", 2)) },
				func(c client) error { return c.resync() },
				func(c client) error { return c.add(pod("a", 2)) },
			}
			names := []string{"Replace", "Delete", "Update", "Resync", "Add"}
			want := []string{"Tombstone a@1", "Deleted a@2", "Updated a@2", "Sync a@1", "Added a@2"}
			s := open()
			var early, late []string
			for i, call := range calls {
				known := cache{}
				c := start(t, s, known)
				must(t, c.add(pod("a", 1)))
				release := hold(t, c, known)
				var returned, released atomic.Bool
				t.Go("reflector", func(a *conform.Actor) {
					_ = call(c.as(a))
					if !released.Load() {
						a.Breaks("%s returned while process was running", names[i])
					}
					returned.Store(true)
				})
				t.Wait()
				soon := returned.Load()
				released.Store(true)
				release()
				t.Join()
				c.close()
				if soon {
					early = append(early, names[i])
					continue
				}
				late = append(late, names[i])
				c.expect(t, want[i])
				c.end(t)
			}
			t.Require(len(early) == 0, "Calls that returned while process was still running: %s. Calls that waited until it had returned: %s. All have to wait.", conform.Listed(early), conform.Listed(late))
			oneAtATime(t, s, false)
			oneAtATime(t, s, true)
			nothingMeanwhile(t, s)
			nothingBesideTheLast(t, s)
			listBehindPop(t, s)
			firstByItsPlace(t, s)
			anotherQueue(t, s)
		},
	},
	{
		Name:   "failure-does-not-requeue",
		Points: 5,
		Func:   "DeltaFIFO.Pop",
		Rule:   "When process returns an error or panics, the popped deltas are gone and the queue goes on as before. Pop returns the error as it is, with the deltas.",
		Why:    "A cache that could not take an object once will not take it the second time. A queue that tries again for ever never gets to the next key.",
		Hint: []string{
			"What happens to your lock if process panics and a caller recovers?",
			"defer the Unlock. And take the key off before you call process: then there is nothing to undo.",
		},
		Source: "client-go tools/cache/delta_fifo.go: Pop (ErrRequeue was removed upstream)",
		Contract: []string{
			"An error of process changes nothing in the queue, and neither does a panic, which goes on to the caller of Pop with its own value: the popped deltas are gone",
			"calls process with them, and returns them and the result of process",
			"A popped key counts when its process has returned, also with an error, or has panicked",
			"it becomes true when as many keys have been popped since as Replace left pending",
			"While nothing is pending, it waits; every key that becomes pending lets one waiting Pop continue",
			"from the call of process on, the queue neither reads nor writes that slice",
			"Delete queues a Deleted delta, if the key of obj is pending or known",
			"then it queues a tombstone for every other key that is pending or known",
			"Resync queues a Sync delta for every known object whose key is not pending",
			"The queue asks it which objects exist, each time that Delete, Replace or Resync is called",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), nil)
			must(t, c.replace(pod("first", 1), pod("a", 1), pod("b", 2)))
			popAndPanic(t, c, ownPanic)
			t.Require(!c.hasSynced(), "process panicked with the first of the 3 keys of the first Replace, 2 are still pending, and HasSynced is true: a key whose process has panicked counts once, as any other.")
			deltas, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error { return errProcess })
			t.Require(err == errProcess, "The call of process returned its own error, and Pop returned %s, and not that very error.", conform.Said(err))
			same(t, render(deltas), []string{"Replaced a@1"}, "process returned an error, and Pop returns its deltas with it")
			t.Require(!c.hasSynced(), "One of the 3 keys of the first Replace is still pending, and HasSynced is true: it becomes true when as many keys have been popped since as Replace left pending, and each key counts once, when its process has returned, also with an error, or has panicked.")
			panicked := popAndPanic(t, c, ownPanic)
			t.Require(c.hasSynced(), "All keys of the first Replace have been popped, and HasSynced is false: a popped key counts when its process has returned, also with an error, or has panicked.")
			asBefore(t, c)
			untouched(t, deltas, "Replaced a@1", "returned an error")
			untouched(t, panicked, "Replaced b@2", "panicked")
			againAfterFailure(t, open)
			failureOfAnotherQueue(t, open())
			panicsWithItsValue(t, open())
		},
	},
	{
		Name:   "deltas-belong-to-the-caller",
		Points: 4,
		Func:   "DeltaFIFO.Pop",
		Look:   []string{"DeltaFIFO.Pop", "the step that appends a delta to those of its key"},
		Rule:   "The deltas that Pop returns belong to the caller: the queue never writes to that slice again, and never sees what the caller writes to it.",
		Why:    "Informers pass deltas to code that looks at them later. If the queue reuses the array, that code sees the changes of another object.",
		Hint: []string{
			"After Pop, do you still hold the slice, or one with the same array behind it?",
			"Delete the key from the map, and let the next delta begin a new slice. deltas[:0] is not a new slice.",
		},
		Source:   "client-go tools/cache/delta_fifo.go: Pop (we're transferring ownership to the caller)",
		Contract: []string{"The deltas belong to process and to the caller of Pop, who may keep them, change them and append to them: from the call of process on, the queue neither reads nor writes that slice, or those two, if process and the caller get one each"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), nil)
			must(t, c.add(pod("a", 1)))
			must(t, c.update(pod("a", 2)))
			first, _ := c.take(t, nil)
			must(t, c.update(pod("a", 3)))
			must(t, c.add(pod("b", 4)))
			got := render(first)
			t.Require(slices.Equal(got, []string{"Added a@1", "Updated a@2"}), "The slice that Pop returned held [Added a@1, Updated a@2], and holds [%s] since the queue was used again: it belongs to the caller.", strings.Join(got, ", "))
			clear(first)
			_ = append(first[:0], kit.Delta[*kit.Pod]{Type: kit.DeltaSync, Object: pod("x", 9)}, kit.Delta[*kit.Pod]{Type: kit.DeltaSync, Object: pod("y", 9)})
			c.expect(t, "Updated a@3")
			must(t, c.add(pod("c", 5))) // behind b, and each has one delta
			second, _ := c.take(t, nil)
			same(t, render(second), []string{"Added b@4"}, "the caller wrote to the deltas of another key, which it had popped")
			_ = append(second, kit.Delta[*kit.Pod]{Type: kit.DeltaSync, Object: pod("x", 9)})
			third, _ := c.take(t, nil)
			same(t, render(third), []string{"Added c@5"}, "the caller appended Sync x@9 to the deltas of b, which it had popped, and those are its own")
			must(t, c.replace(pod("d", 6), pod("e", 6))) // both by one call
			fourth, _ := c.take(t, nil)
			_ = append(fourth, kit.Delta[*kit.Pod]{Type: kit.DeltaSync, Object: pod("x", 9)})
			c.judgeNext(t, "the caller appended Sync x@9 to the deltas of d, which it had popped, and those are its own", "Replaced e@6")
			c.end(t)
			processKeeps(t, open())
			processWritesOn(t, open())
		},
	},
	{
		Name:   "close-ends-the-queue",
		Long:   true,
		Points: 5,
		Func:   "DeltaFIFO.Close",
		Look:   []string{"DeltaFIFO.Close", "DeltaFIFO.Pop"},
		Rule:   "Close wakes every Pop that waits. What is pending can still be popped, and then Pop returns kit.ErrFIFOClosed, every time.",
		Why:    "An informer that stops waits for its consumer. A consumer that nobody wakes keeps the whole process from ending; a consumer that stops too early leaves deletions behind.",
		Hint: []string{
			"How many goroutines does Signal wake?",
			"What does Pop check first: whether something is pending, or whether the queue is closed?",
		},
		Source: "client-go tools/cache/delta_fifo.go: Close, Pop; client-go tools/cache/delta_fifo_test.go: TestDeltaFIFO_PopShouldUnblockWhenClosed (no test of upstream looks at the backlog)",
		Contract: []string{
			"Close wakes every Pop that waits. What is pending can still be popped. It may be called more than once",
			"Pop takes the key at the head of the queue with all of its deltas, the oldest first, calls process with them",
			"Once the queue is closed and nothing is pending, it returns nil and kit.ErrFIFOClosed, not wrapped",
			"If Replace is the first call, it becomes true when as many keys have been popped since as Replace left pending",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				c := start(t, open(), nil)
				got := park(t, c, 5)
				c.close()
				t.Wait()
				t.Require(len(got) == 5, "5 goroutines waited in Pop when the queue was closed, and %d of them wait still.", 5-len(got))
				for range 5 {
					closed(t, <-got)
				}
				c.end(t) // closes once more, with nobody left to wake

				c = start(t, open(), nil)
				must(t, c.add(pod("a", 1)))
				must(t, c.add(pod("b", 2)))
				c.close()
				c.close()
				const twice = "Close was called twice, and what is pending can still be popped"
				c.judgeNext(t, twice, "Added a@1")
				c.judgeNext(t, twice, "Added b@2")
				deltas, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
				closed(t, err)
				t.Require(deltas == nil, "The queue is closed and nothing is pending, and Pop returned deltas of length %d that are not nil: it returns nil.", len(deltas))
				c.end(t)

				c = start(t, open(), nil)
				must(t, c.replace(pod("a", 1)))
				c.close()
				t.Require(!c.hasSynced(), "The first Replace left 1 key pending, which has not been popped, the queue was closed, and HasSynced is true: Close does not change it.")
				_, initial := c.take(t, nil)
				t.Require(initial && c.hasSynced(), "The queue was closed after a first Replace with 1 object. For that process got isInInitialList %t and should get true; HasSynced is %t after it and should be true.", initial, c.hasSynced())
				closedBehindAnother(t, open())
				closedAsTheyWake(t, open())
				closedWithTooFew(t, open())
				for range 3 {
					closedBehindTwoPops(t, open())
				}
				closedWithNothing(t, open())
			})
			closedAtThatMoment(t, open())
		},
	},
}

// refuse is the error of a transformer that refuses version 666.
func refuse(p *kit.Pod) error {
	if p.ResourceVersion == "666" {
		return errTransform
	}
	return nil
}

// mark is a transformer that leaves a trace at the object it returns, and another, in place, at the
// one it was given. It refuses version 666.
func mark(p *kit.Pod) (*kit.Pod, error) {
	if err := refuse(p); err != nil {
		return nil, err
	}
	changed := p.DeepCopy()
	changed.ResourceVersion += "+"
	p.ResourceVersion += "!"
	return changed, nil
}

// failureLeavesNothing has calls whose transformer fails, and requires that none of their
// keys counts as pending afterwards.
func failureLeavesNothing(t *conform.T, s Subject) {
	known := holding(pod("a", 1))
	c := startWith(t, s, Options{KnownObjects: known, Transformer: mark})
	if !c.panics() {
		err := c.delete(pod("nobody", 666))
		t.Require(err == nil, "Delete was called for an object that is neither pending nor known, which it drops, and it returned %s: that is no error, even if the transformer returns one for the object.", conform.Said(err))
	}
	must(t, c.resync())
	c.takes(t, nil, "Sync a@1")
	for _, name := range []string{"ghost", "a"} {
		refused(t, "Add", c.add(pod(name, 666)))
		refused(t, "Update", c.update(pod(name, 666)))
	}
	must(t, c.delete(pod("ghost", 2))) // neither pending nor known
	must(t, c.resync())                // a is not pending either
	must(t, c.replace(pod("a", 3)))    // and there is no ghost that could be missing
	c.close()
	c.takes(t, nil, "Sync a@1", "Replaced a@3+")
	c.end(t)

	for what, name := range []string{"Add", "Update", "Delete", "Delete"} {
		c := startWith(t, s, Options{KnownObjects: holding(pod("a", 1)), Transformer: mark})
		if what == 3 { // a is known and pending, and not only known
			must(t, c.resync())
		}
		refused(t, name, []func(*kit.Pod) error{c.add, c.update, c.delete, c.delete}[what](pod("a", 666)))
		t.Require(c.hasSynced(), "The first call (Resync does not count) was %s, whose transformer %s, and HasSynced is false after it: such a call makes it true, because there is no first list left to be popped.", name, c.failed())
	}
}

// marks says what the transformer of a case does.
const marks = "the transformer returns a copy with a + at its version, and leaves a ! at the object that it was given"

// refused requires that a call returned the transformer's error.
func refused(t *conform.T, call string, err error) {
	t.Require(err == errTransform, "The transformer failed with its own error, and %s returned %s, and not that very error.", call, conform.Said(err))
}

// takes pops one key into known and requires that its deltas are want.
func (c client) takes(t *conform.T, known cache, want ...string) {
	c.due = ": due was [" + strings.Join(want, ", ") + "]"
	deltas, _ := c.take(t, known)
	got := render(deltas)
	c.judge(t, got, want, whyOf(got, want))
}

// whyOf says why these deltas are due. The marks of the transformer are the reason if nothing else differs.
func whyOf(got, want []string) string {
	bare := func(lines []string) (all []string) {
		for _, l := range lines {
			all = append(all, strings.NewReplacer("+", "", "!", "").Replace(l))
		}
		return all
	}
	of, due := bare(got), bare(want)
	switch {
	case slices.Equal(of, due):
		return marks
	case len(of) == len(due) && strings.HasPrefix(due[len(due)-1], "Tombstone") && strings.HasPrefix(of[len(of)-1], "Tombstone") && slices.Equal(of[:len(of)-1], due[:len(due)-1]):
		return "the object of a tombstone is that of the newest pending delta of the key or, if none is pending, the known one"
	}
	return inOrder
}

// oneAtATime requires that of two consumers only one is in process, also if they pop what is left in a
// queue that is closed.
func oneAtATime(t *conform.T, s Subject, closed bool) {
	known := cache{}
	c := start(t, s, known)
	must(t, c.add(pod("a", 1)))
	must(t, c.add(pod("b", 2)))
	what := "A second Pop"
	if closed {
		what = "The queue was closed with 2 keys pending. A second Pop"
		c.close()
	}
	release := hold(t, c, known)
	var entered, released atomic.Bool
	t.Go("second consumer", func(a *conform.Actor) {
		_, _ = c.as(a).pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
			if !released.Load() {
				a.Breaks("a second process is called while the first is running")
			}
			entered.Store(true)
			known.apply(d)
			return nil
		})
	})
	t.Wait()
	t.Require(!entered.Load(), "%s called its process while the process of the first was still running: no two run at once.", what)
	released.Store(true)
	release()
	t.Join()
	t.Require(known.String() == "[a@1 b@2]", "Two calls of process put a@1 and b@2 into a cache, and it holds %v.", known)
	c.end(t)
}

// hold lets a consumer stop inside process, and returns what lets it go on and put
// what it has into known. It returns when the consumer is there.
func hold(t *conform.T, c client, known cache) (release func()) {
	entered, leave := make(chan struct{}), make(chan struct{})
	t.Go("consumer", func(a *conform.Actor) {
		_, _ = c.as(a).pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
			close(entered)
			<-leave
			known.apply(d)
			return nil
		})
	})
	<-entered
	return func() { close(leave) }
}

// asBefore requires that a queue goes on as it did, once a process has failed with a and another
// has panicked with b, and nothing is pending.
func asBefore(t *conform.T, c client) {
	got := park(t, c, 1)
	t.Require(len(got) == 0, "The last call of process panicked, nothing is pending, and the next Pop did not wait: a panic changes nothing in the queue.")
	must(t, c.update(pod("b", 3)))
	t.Wait()
	t.Require(len(got) == 1, "process panicked when b was popped. Then Update(b@3) was called, and a Pop waits still: the popped deltas are gone, so b became pending once more.")
	must(t, <-got)
	must(t, c.update(pod("a", 4)))
	must(t, c.update(pod("b", 5)))
	c.close()
	deltas, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error { return errProcess })
	t.Require(err == errProcess, "The queue is closed with a and b pending, process returned its own error, and Pop returned %s, and not that very error.", conform.Said(err))
	same(t, render(deltas), []string{"Updated a@4"}, "the queue was closed with a and b pending")
	c.expect(t, "Updated b@5")
	c.end(t)
}

// untouched requires that the queue has not written to deltas with which process failed.
func untouched(t *conform.T, deltas kit.Deltas[*kit.Pod], want, how string) {
	got := strings.Join(render(deltas), ", ")
	t.Require(got == want, "process got [%s] and %s, and the queue was used again. The slice that process got holds [%s] now: the queue never touches it again, because a caller that wants to try again has to keep it.", want, how, got)
}

// againAfterFailure tells a queue once more what process has failed with. The cache has not changed,
// so it is news as it was before.
func againAfterFailure(t *conform.T, open func() Subject) {
	changedAndFailed(t, open())
	for what, want := range []string{"Deleted a@2", "Tombstone a@1", "Sync a@1"} {
		c := start(t, open(), holding(pod("a", 1)))
		call := []func() error{func() error { return c.delete(pod("a", 2)) }, func() error { return c.replace() }, c.resync}[what]
		must(t, call())
		_, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error { return errProcess })
		t.Require(err == errProcess, "The call of process returned its own error, and Pop returned %s, and not that very error.", conform.Said(err))
		must(t, call())
		c.close()
		c.expect(t, want)
		c.end(t)
	}
}

// processKeeps has process keep its deltas, and looks at them when Pop has returned.
func processKeeps(t *conform.T, s Subject) {
	c := start(t, s, nil)
	must(t, c.add(pod("a", 1)))
	must(t, c.update(pod("a", 2)))
	var kept kit.Deltas[*kit.Pod]
	_, err := c.pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
		kept = d
		return nil
	})
	must(t, err)
	must(t, c.update(pod("a", 3)))
	c.expect(t, "Updated a@3")
	got := strings.Join(render(kept), ", ")
	t.Require(got == "Added a@1, Updated a@2", "process got [Added a@1, Updated a@2] and kept that slice. Since Pop has returned it holds [%s]: the deltas belong to process, too, and the queue never touches that slice again.", got)
	c.end(t)
}

// processWritesOn has process leave its deltas to a goroutine that changes them while Pop returns.
func processWritesOn(t *conform.T, s Subject) {
	for _, end := range []struct {
		how string
		do  func() error
	}{
		{"returns no error", func() error { return nil }},
		{"returns an error", func() error { return errProcess }},
		{"panics", func() error { panic(ownPanic) }},
	} {
		c := start(t, s, nil)
		must(t, c.add(pod("a", 1)))
		must(t, c.delete(pod("a", 2))) // and nothing else is pending
		call := t.Call("Pop(process), which starts a goroutine that changes the deltas, and %s", end.how)
		_, _ = recovered(func() error {
			_, err := c.q.Pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
				t.Go("started by process", func(*conform.Actor) {
					for i := range d {
						d[i] = kit.Delta[*kit.Pod]{}
					}
				})
				return end.do()
			})
			return err
		})
		call.Returned("")
		t.Join()
		c.end(t)
	}
}

// failureOfAnotherQueue has process put its deltas into another queue, which is closed.
func failureOfAnotherQueue(t *conform.T, s Subject) {
	c := start(t, s, nil)
	must(t, c.add(pod("a", 1)))
	must(t, c.add(pod("b", 2)))
	deltas, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error { return kit.ErrFIFOClosed })
	t.Require(err == kit.ErrFIFOClosed, "The call of process returned kit.ErrFIFOClosed, as another queue does, and Pop returned %s, and not that very error.", conform.Said(err))
	same(t, render(deltas), []string{"Added a@1"}, "process returned kit.ErrFIFOClosed, and Pop returns its deltas with it, as with any other error")
	c.expect(t, "Added b@2")
	got := park(t, c, 1)
	t.Require(len(got) == 0, "process returned kit.ErrFIFOClosed, as another queue does, and this queue is open. Nothing is pending, and a Pop returned: an error of process changes nothing in the queue.")
	must(t, c.add(pod("b", 3)))
	t.Join()
	c.end(t)
}

// popAndPanic pops one key with a process that panics, recovers as some crash handlers do, and
// returns the deltas that process got.
func popAndPanic(t *conform.T, c client, value any) (got kit.Deltas[*kit.Pod]) {
	p, err := recovered(func() error {
		_, err := c.pop(func(deltas kit.Deltas[*kit.Pod], _ bool) error {
			got = deltas
			panic(value)
		})
		return err
	})
	t.Require(p != nil, "The call of process panicked with %s, and Pop returned %s: the panic goes on to the caller of Pop.", saidOf(value), conform.Said(err))
	t.Require(p == value, "The call of process panicked with %s, and Pop with %s: the panic goes on to the caller of Pop with its own value.", saidOf(value), saidOf(p))
	return got
}

// saidOf is what somebody panicked with, as a message says it.
func saidOf(value any) string {
	if err, ok := value.(error); ok {
		return fmt.Sprintf("%s of type %T", conform.Said(err), err)
	}
	return fmt.Sprintf("the %T %q", value, fmt.Sprint(value))
}

// ownPanics are values of panics of three kinds: a string, an error, and what the runtime says of an
// index out of range.
func ownPanics() []any {
	ofRuntime, _ := recovered(func() error { return []error{}[len(ownPanic)] })
	return []any{ownPanic, errProcess, ofRuntime}
}

// panicsWithItsValue has process panic with values of several kinds.
func panicsWithItsValue(t *conform.T, s Subject) {
	for _, value := range ownPanics() {
		c := start(t, s, nil)
		must(t, c.add(pod("a", 1)))
		popAndPanic(t, c, value)
		c.end(t)
	}
}

// changedAndFailed has process change the known objects before it fails. They are what they are then.
func changedAndFailed(t *conform.T, s Subject) {
	for _, ends := range []string{"returned an error", "panicked"} {
		known := holding(pod("a", 1))
		c := start(t, s, known)
		must(t, c.resync())
		must(t, c.add(pod("b", 1)))
		for range 2 {
			_, _ = recovered(func() error {
				_, err := c.pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
					known.apply(d)
					if ends == "panicked" {
						panic(ownPanic)
					}
					return errProcess
				})
				return err
			})
		}
		must(t, c.resync())
		c.close()
		why := "process has made the object known before it " + ends + ", and Resync asks which objects exist each time"
		takeEach(t, c, due{"a", []string{"Sync a@1"}, why}, due{"b", []string{"Sync b@1"}, why})
		c.end(t)
	}
}
