package deltafifotest

import (
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// fourKnown is a queue that knows a, b, c and d. It gets a list of a, b and c, in which the
// transformer fails for b. How much of the list is queued then is left open.
func fourKnown(t *conform.T, s Subject) client {
	c := startWith(t, s, Options{KnownObjects: holding(pod("a", 1), pod("b", 1), pod("c", 1), pod("d", 1)), Transformer: mark})
	err := c.replace(pod("a", 2), pod("b", 666), pod("c", 2))
	t.Require(err != nil, "The transformer failed for one of 3 objects, and Replace returned no error.")
	return c
}

// failureBuriesNobody looks at what a list has queued whose transformer failed in the middle.
func failureBuriesNobody(t *conform.T, s Subject) {
	c := fourKnown(t, s)
	c.close()
	queued := strings.Join(c.rest(t), " ")
	t.Require(!strings.Contains(queued, "Tombstone"), "a, b, c and d are known, Replace was called with a, b and c, and the transformer failed for b. Queued after it: %s. If the transformer fails, Replace queues no tombstone.", queued)
}

// failureIsForgotten has another list come after such a list.
func failureIsForgotten(t *conform.T, s Subject) {
	c := fourKnown(t, s)
	must(t, c.replace(pod("b", 3)))
	c.close()
	queued := strings.Join(c.rest(t), " ")
	for _, missing := range []string{"a", "c", "d"} {
		t.Require(strings.Contains(queued, "Tombstone "+missing+"@"), "a, b, c and d are known. The transformer failed for b when Replace was called with a, b and c; then Replace was called with b alone. Queued: %s. No tombstone for %s, which is known and not in the list.", queued, missing)
	}
	t.Require(!strings.Contains(queued, "Tombstone b@"), "a, b, c and d are known, and Replace was called with b. Queued: %s. A tombstone is for a key that is not in the list, and b is.", queued)
}

// failureChangesNoCount has the transformer fail while the first list is pending.
func failureChangesNoCount(t *conform.T, s Subject) {
	c := startWith(t, s, Options{Transformer: mark})
	must(t, c.replace(pod("a", 1)))
	names := []string{"Add", "Update", "Delete", "Replace"}
	for i, call := range []func(p *kit.Pod) error{c.add, c.update, c.delete, func(p *kit.Pod) error { return c.replace(p) }} {
		err := call(pod("a", 666))
		t.Require(err != nil, "The transformer failed, and %s returned no error.", names[i])
		t.Require(!c.hasSynced(), "The first Replace left 1 key pending, which has not been popped. HasSynced is true after a call of %s whose transformer failed: that was not the first call.", names[i])
	}
	c.takes(t, nil, "Replaced a@1+")
	t.Require(c.hasSynced(), "The first Replace left 1 key pending, which has been popped since, and HasSynced is false.")
	c.end(t)
}

// seenAfterTombstone has deletions be seen of two keys that have a tombstone. For one of them the
// transformer fails.
func seenAfterTombstone(t *conform.T, s Subject) {
	c := startWith(t, s, Options{Transformer: mark})
	must(t, c.add(pod("a", 1)))
	must(t, c.add(pod("b", 1)))
	must(t, c.replace())
	refused(t, "Delete", c.delete(pod("a", 666)))
	must(t, c.delete(pod("b", 3)))
	c.close()
	a, _ := c.take(t, nil)
	c.judge(t, render(a), []string{"Added a@1+", "Tombstone a@1+"}, "a had a tombstone, and the transformer failed for the deletion that was seen then, so that queued nothing, and what was pending stays")
	b, _ := c.take(t, nil)
	c.judge(t, render(b), []string{"Added b@1+", "Deleted b@3+"}, "b had a tombstone, and then a deletion was seen, whose object is what the transformer returned: "+marks)
	c.end(t)
}

// listIsTheCallers looks at a list after the call of Replace, and uses it for something else.
func listIsTheCallers(t *conform.T, s Subject) {
	c := startWith(t, s, Options{Transformer: mark})
	a, b := pod("a", 1), pod("b", 1)
	list := []*kit.Pod{a, b}
	must(t, c.replace(list...))
	t.Require(list[0] == a && list[1] == b, "The slice with which Replace was called held two objects, and holds others after the call: Replace does not write to it.")
	list[0], list[1] = pod("x", 9), pod("y", 9)
	c.close()
	c.takes(t, nil, "Replaced a@1+")
	c.takes(t, nil, "Replaced b@1+")
	c.end(t)
}
