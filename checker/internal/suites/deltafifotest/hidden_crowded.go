package deltafifotest

import (
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// nothingIsLost queues far more keys than a small buffer holds, and pops half of them, twice.
func nothingIsLost(t *conform.T, s Subject) {
	const n = 1000 // and no more: a queue that looks for a key by going through all of them is slow, and right
	c := start(t, s, nil)
	added, popped := 0, 0
	const deleted = n - 1
	name := func(i int) string { return fmt.Sprintf("pod-%d", i) }
	add := func() {
		t.Note("Add of %s, %s the first of them", conform.Count(n, "object"), name(added))
		for range n {
			must(t, c.q.Add(pod(name(added), 1)))
			added++
		}
	}
	pop := func(count int) {
		t.Note("Pop, %d times", count)
		for range count {
			deltas, err := c.q.Pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
			must(t, err)
			want := []string{"Added " + show(pod(name(popped), 1))}
			if popped == deleted {
				want = append(want, "Deleted "+show(pod(name(popped), 2)))
			}
			t.Require(fmt.Sprint(render(deltas)) == fmt.Sprint(want), "%d objects were added and %d popped, and the next Pop returned %v: it should have returned %v.", added, popped, render(deltas), want)
			popped++
		}
	}
	add()
	must(t, c.delete(pod(name(deleted), 2))) // nobody has popped the object, so its deletion is queued behind it
	pop(n / 2)
	add()
	pop(n + n/2)
	c.end(t)
}

// noDeltaIsLost lets more happen to one object than a small buffer holds.
func noDeltaIsLost(t *conform.T, s Subject) {
	const n = 2500
	c := start(t, s, nil)
	t.Note("Update of one object, %d times", n)
	want := make([]string, n)
	for i := range want {
		must(t, c.q.Update(pod("a", i)))
		want[i] = "Updated " + show(pod("a", i))
	}
	deltas, err := c.q.Pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
	must(t, err)
	got := render(deltas)
	t.Require(slices.Equal(got, want), "One object was updated %d times, from version 0 to %d, and Pop returned %d deltas, the first of them %v: all have to be there, in order.", n, n-1, len(got), got[:min(1, len(got))])
	c.end(t)
}
