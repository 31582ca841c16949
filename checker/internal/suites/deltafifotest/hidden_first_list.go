package deltafifotest

import (
	"runtime"
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

// processIsRunning asks HasSynced while process has the last key of the first list, which is not
// in the cache then.
func processIsRunning(t *conform.T, s Subject) {
	c := start(t, s, nil)
	must(t, c.replace(pod("a", 1)))
	var running, answered, early atomic.Bool
	begun := make(chan struct{})
	t.Go("controller", func(a *conform.Actor) {
		<-begun
		if c.as(a).hasSynced() && running.Load() {
			a.Breaks("HasSynced is true while process is running")
			early.Store(true)
		}
		answered.Store(true)
	})
	_, err := c.pop(func(kit.Deltas[*kit.Pod], bool) error {
		running.Store(true)
		close(begun)
		for n := 0; n < 20_000 && !answered.Load(); n++ { // in vain, where HasSynced waits for the lock
			runtime.Gosched()
		}
		running.Store(false)
		return nil
	})
	must(t, err)
	t.Join()
	t.Require(!early.Load(), "The first Replace left 1 key pending. While process was running with its deltas, HasSynced returned true in another goroutine: it waits, or returns what it would have returned before that Pop, which is false.")
	t.Require(c.hasSynced(), "The first Replace left 1 key pending, whose process has returned, and HasSynced is false.")
	c.end(t)
}
