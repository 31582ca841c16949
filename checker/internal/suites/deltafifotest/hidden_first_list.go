package deltafifotest

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// onlyTombstones has a first list that is empty, while the known objects are not.
func onlyTombstones(t *conform.T, s Subject) {
	c := start(t, s, holding(pod("a", 1)))
	must(t, c.replace())
	t.Require(!c.hasSynced(), "The first Replace had an empty list and left 1 key pending, the tombstone of a, which has not been popped, and HasSynced is true: tombstones count.")
	c.expect(t, "Tombstone a@1")
	t.Require(c.hasSynced(), "The first Replace left 1 key pending, the tombstone of a, which has been popped since, and HasSynced is false.")
	c.end(t)
}

// longFirstList has a first list with more keys than a byte can count.
func longFirstList(t *conform.T, s Subject) {
	const n = 256 + 40
	c := start(t, s, nil)
	list := make([]*kit.Pod, n)
	for i := range list {
		list[i] = pod("pod-"+strconv.Itoa(i), 1)
	}
	call := t.Call("Replace(%d objects), and then Pop and HasSynced, %d times", n, n)
	must(t, c.q.Replace(list, "1"))
	for popped := range n {
		t.Require(!c.q.HasSynced(), "The first Replace left %d keys pending. %d of them have been popped since, and HasSynced is true: it becomes true when as many keys have been popped as Replace left pending.", n, popped)
		_, err := c.q.Pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
		must(t, err)
	}
	call.Returned("")
	t.Require(c.q.HasSynced(), "The first Replace left %d keys pending. All have been popped since, and HasSynced is false.", n)
	c.end(t)
}

// betweenListAndSync makes each call once while a key of the first list is still pending. None of
// them is different then, and none of them changes what HasSynced waits for.
func betweenListAndSync(t *conform.T, s Subject) {
	known := cache{}
	c := start(t, s, known)
	must(t, c.replace(pod("a", 1), pod("b", 2), pod("c", 3)))
	c.take(t, known)
	c.take(t, known)
	names := []string{"Delete(a@4)", "Resync()", "Add(d@5)", "Update(e@5)", "Delete(nobody@5)", "Replace([d@6])", "Replace([])"}
	for i, call := range []func() error{
		func() error { return c.delete(pod("a", 4)) }, // which is known and not pending
		func() error { return c.resync() },            // b is the same
		func() error { return c.add(pod("d", 5)) },
		func() error { return c.update(pod("e", 5)) },
		func() error { return c.delete(pod("nobody", 5)) },
		func() error { return c.replace(pod("d", 6)) },
		func() error { return c.replace() },
	} {
		must(t, call())
		t.Require(!c.hasSynced(), "The first Replace left 3 keys pending, a, b and c, and c has not been popped since. HasSynced is true after %s, which does not pop c.", names[i])
	}
	initial := c.expect(t, "Replaced c@3", "Tombstone c@3")
	t.Require(initial, "HasSynced was false when Pop took c, the last key of the first Replace, and process got isInInitialList false: it is the opposite.")
	t.Require(c.hasSynced(), "The first Replace left 3 keys pending, a, b and c. All have been popped since, and HasSynced is false: that a and b are pending again makes no difference.")
	c.expect(t, "Deleted a@4")
	c.expect(t, "Sync b@2", "Tombstone b@2")
	c.expect(t, "Added d@5", "Replaced d@6", "Tombstone d@6")
	c.expect(t, "Updated e@5", "Tombstone e@5")
	c.end(t)
}

// onlyResyncAndClose empties a queue that was closed, and to which nothing but Resync was said.
func onlyResyncAndClose(t *conform.T, s Subject) {
	c := start(t, s, holding(pod("a", 1)))
	must(t, c.resync())
	c.close()
	c.expect(t, "Sync a@1")
	t.Require(!c.hasSynced(), "Only Resync and Close were called, and a Pop took the one key that was pending. HasSynced is true: Resync, Pop and Close do not count as the first call.")
	c.end(t)
	t.Require(!c.hasSynced(), "Only Resync and Close were called, and Pop returned kit.ErrFIFOClosed. HasSynced is true: Resync, Pop and Close do not count as the first call.")
}

// askedWhilePopWaits asks HasSynced while a Pop waits for a key.
func askedWhilePopWaits(t *conform.T, s Subject) {
	c := start(t, s, nil)
	park(t, c, 1)
	t.Require(!c.hasSynced(), "Nothing but Pop was called, which waits, and HasSynced is true: it is false at first.")
	must(t, c.replace())
	t.Require(c.hasSynced(), "A Pop waits, the first Replace had an empty list and left nothing pending, and HasSynced is false: with nothing pending it becomes true at once.")
	c.close()
	t.Join()
}

// during asks HasSynced in another goroutine while something runs, which calls ask, and returns what
// it answered before ask returned: "true", "false" or, where it waits, "".
func during(t *conform.T, c client) (ask func(), answer func() string) {
	var answered atomic.Bool
	var running atomic.Bool
	var got atomic.Value
	begun := make(chan struct{})
	t.Go("controller", func(a *conform.Actor) {
		<-begun
		synced := c.as(a).hasSynced()
		if running.Load() {
			got.Store(strconv.FormatBool(synced))
		}
		answered.Store(true)
	})
	ask = sync.OnceFunc(func() {
		running.Store(true)
		close(begun)
		for n := 0; n < 20_000 && !answered.Load(); n++ { // in vain, where HasSynced waits for the lock
			runtime.Gosched()
		}
		running.Store(false)
	})
	return ask, func() string {
		t.Join()
		early, _ := got.Load().(string)
		return early
	}
}

// processIsRunning asks HasSynced while process has the last key of the first list, which is not
// in the cache then, or a key that was added to a queue which has synced.
//
// The queue may be closed: then a Pop that takes the last key is not alone yet.
func processIsRunning(t *conform.T, s Subject, synced, closed bool) {
	c := start(t, s, nil)
	t.Require(!c.hasSynced(), "Nothing was called yet, and HasSynced is true: it is false at first.")
	before := "The first Replace left 1 key pending"
	if synced {
		before = "Add was the first call, which made HasSynced true"
		must(t, c.add(pod("a", 1)))
	} else {
		must(t, c.replace(pod("a", 1)))
	}
	if closed {
		before += ", and the queue was closed"
		c.close()
	}
	ask, answer := during(t, c)
	_, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error {
		ask()
		return nil
	})
	must(t, err)
	early := answer()
	t.Require(early == "" || early == strconv.FormatBool(synced), "%s. While process was running with the deltas of that key, HasSynced returned %s in another goroutine: it waits, or returns what it would have returned just before that Pop took its key, which is %t.", before, early, synced)
	t.Require(c.hasSynced(), "%s. Its process has returned, and HasSynced is false.", before)
	c.end(t)
}

// listIsRunning asks HasSynced while the first list is in the transformer.
func listIsRunning(t *conform.T, s Subject) {
	var ask func()
	c := startWith(t, s, Options{Transformer: func(p *kit.Pod) (*kit.Pod, error) {
		ask()
		return p, nil
	}})
	asks, answer := during(t, c)
	ask = asks
	must(t, c.replace(pod("a", 1), pod("b", 1)))
	early := answer()
	t.Require(early != "true", "The transformer was running for an object of the first Replace, nothing had been popped, and HasSynced returned true in another goroutine: it is false at first, and becomes true when the keys of that list have been popped.")
	t.Require(!c.hasSynced(), "The first Replace left 2 keys pending, which have not been popped, and HasSynced is true.")
	c.take(t, nil)
	c.take(t, nil)
	t.Require(c.hasSynced(), "The first Replace left 2 keys pending, which have been popped since, and HasSynced is false.")
	c.end(t)
}

// firstByItsPlace has a list and an event come while process is running, one behind the other. Which of the two
// was the first call shows in the order of their deltas.
func firstByItsPlace(t *conform.T, s Subject) {
	for _, seen := range []struct {
		call string
		make func(client, *kit.Pod) error
	}{{"Add", client.add}, {"Update", client.update}, {"Delete", client.delete}} {
		known := holding(pod("first", 1), pod("second", 1))
		c := start(t, s, known)
		must(t, c.resync()) // which does not count
		// process makes seen known, so that Delete queues something, too
		duringTwoPops(t, c, func(kit.Deltas[*kit.Pod]) { known[kit.Key(pod("seen", 1))] = pod("seen", 1) },
			func(a *conform.Actor) { _ = c.as(a).replace(pod("seen", 2)) },
			func(a *conform.Actor) { _ = seen.make(c.as(a), pod("seen", 3)) })
		synced := c.hasSynced()
		c.close()
		queue := strings.Join(c.rest(t), " ")
		listFirst := strings.Index(queue, "seen@2") < strings.Index(queue, "seen@3")
		t.Require(!synced || !listFirst, "Replace with seen@2 and %s(seen@3) came while process was running, the first calls after Resync. In the queue were then %s: seen@2 stands before seen@3, so Replace was the first call. It left seen pending, which had not been popped, and HasSynced was true.", seen.call, queue)
		t.Require(synced || listFirst, "Replace with seen@2 and %s(seen@3) came while process was running, the first calls after Resync. In the queue were then %s: seen@3 stands before seen@2, so %s was the first call, which makes HasSynced true, and it was false.", seen.call, queue, seen.call)
	}
}

// markedWhateverItIs has keys of the first list whose deltas begin and end with others than the list's.
func markedWhateverItIs(t *conform.T, s Subject) {
	c := start(t, s, holding(pod("a", 1), pod("gone", 1)))
	must(t, c.resync()) // which queues both, and does not count
	must(t, c.replace(pod("a", 2), pod("b", 2)))
	must(t, c.update(pod("a", 3)))
	must(t, c.add(pod("gone", 3)))
	must(t, c.delete(pod("b", 3)))
	for popped := range 3 {
		deltas, initial := c.take(t, nil)
		t.Require(initial, "The first Replace left 3 keys pending, of which %d had been popped. The next Pop took %v, and process got isInInitialList false. HasSynced was false then, and isInInitialList is the opposite, whatever the deltas are.", popped, render(deltas))
	}
	t.Require(c.hasSynced(), "The first Replace left 3 keys pending, all have been popped since, and HasSynced is false.")
	c.end(t)
}

// markedWithoutItsTombstone has the deletion of a key be seen that has a tombstone of the first list. The
// tombstone goes, and the key is one that the list has left pending all the same.
func markedWithoutItsTombstone(t *conform.T, s Subject) {
	c := start(t, s, holding(pod("gone", 1), pod("lost", 1)))
	must(t, c.replace(pod("a", 2)))
	must(t, c.delete(pod("gone", 3)))
	must(t, c.delete(pod("lost", 3)))
	for popped := range 3 {
		t.Require(!c.hasSynced(), "The first Replace left 3 keys pending, a and the tombstones of gone and lost, whose deletions were seen then. %d of the keys have been popped, and HasSynced is true.", popped)
		deltas, initial := c.take(t, nil)
		t.Require(initial, "The first Replace left 3 keys pending, a and the tombstones of gone and lost, whose deletions were seen then. The next Pop took %v, and process got isInInitialList false. HasSynced was false then, and isInInitialList is the opposite, whatever the deltas are.", render(deltas))
	}
	t.Require(c.hasSynced(), "The first Replace left 3 keys pending, a and the tombstones of gone and lost. Their deletions were seen then, which take the places of the tombstones. All 3 keys have been popped since, and HasSynced is false: it becomes true when as many keys have been popped as Replace left pending.")
	c.end(t)
}

// notMarkedBehindTheLast has, on many queues, a Pop wait for the lock while process has the last key of the
// first list.
func notMarkedBehindTheLast(t *conform.T, s Subject) {
	call := t.Call("%d times: New, Replace([first@1 second@1]), Add(later@1), then Pop twice, whose process takes its time, and meanwhile Pop", inLineAtOnce)
	marked := make(chan bool, inLineAtOnce)
	var lines []line
	for range inLineAtOnce {
		q := s.New(Options{})
		must(t, q.Replace([]*kit.Pod{pod("first", 1), pod("second", 1)}, "1"))
		must(t, q.Add(pod("later", 1)))
		process := func(d kit.Deltas[*kit.Pod], isInInitialList bool) error {
			if d[0].Object.Name == "later" {
				marked <- isInInitialList
			}
			return nil
		}
		l := newLine()
		l.hold = func() {
			_, _ = q.Pop(func(d kit.Deltas[*kit.Pod], isInInitialList bool) error {
				l.inside()
				return process(d, isInInitialList)
			})
		}
		l.next = []func(){func() { _, _ = q.Pop(process) }}
		lines = append(lines, l)
	}
	standInLine(t, lines)
	call.Returned("")
	wrong := 0
	for range len(marked) {
		if <-marked {
			wrong++
		}
	}
	t.Require(wrong == 0, "On each of %d queues the first Replace left 2 keys pending, and process had returned from both when a Pop that had waited for the lock took a third one, later. Its process got isInInitialList true on %d of them: a popped key counts when its process has returned, and no other Pop comes in between.", inLineAtOnce, wrong)
}

// askedAsTheListEnds asks HasSynced on many queues while the first list comes, of which nothing is popped.
func askedAsTheListEnds(t *conform.T, s Subject) {
	const rounds = 400
	call := t.Call("%d times: New, then Replace with one object, while another goroutine asks HasSynced without end", rounds)
	for range rounds {
		q := s.New(Options{})
		var over, synced atomic.Bool
		asking := make(chan struct{})
		var other sync.WaitGroup
		other.Go(func() {
			close(asking)
			for !over.Load() {
				if q.HasSynced() {
					synced.Store(true)
				}
			}
		})
		<-asking
		_ = q.Replace([]*kit.Pod{pod("a", 1)}, "1")
		over.Store(true)
		other.Wait()
		t.Require(!synced.Load(), "Replace was the first call and left 1 key pending, and nothing was popped. HasSynced was called in another goroutine meanwhile, and returned true once: it is false at first, and becomes true when that key has been popped.")
	}
	call.Returned("")
}
