package indexertest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// methods are the writes of an object, by name. Replace is by a list of it alone.
func (c client) methods() map[string]func(p *kit.Pod) error {
	return map[string]func(p *kit.Pod) error{
		"Add": c.add, "Update": c.update, "Delete": c.delete,
		"Replace": func(p *kit.Pod) error { return c.replace(p) },
	}
}

// interrupted is nodeOf, which runs do when it is asked about p for the first time.
func interrupted(p *kit.Pod, do func()) IndexFunc {
	var once sync.Once
	return func(asked *kit.Pod) ([]string, error) {
		if asked == p {
			once.Do(do)
		}
		return nodeOf(asked)
	}
}

// indexMeanwhile makes a write while Index asks the IndexFunc about the object that it was given. The answer is what was
// right before the write, or after it. It runs outside a bubble, where a goroutine that waits for a lock counts as blocked.
func indexMeanwhile(t *conform.T, s Subject, second string) {
	given, old, now := pod("given", 1, "node-1"), pod("a", 1, "node-1"), pod("a", 2, "node-2")
	var c client
	c = start(t, s, map[string]IndexFunc{byNode: interrupted(given, func() {
		t.Go("writer", func(a *conform.Actor) { _ = c.as(a).methods()[second](now) })
		t.Wait() // until it waits for Index, or is done
	})})
	must(t, c.add(old))
	found, err := c.index(byNode, given)
	must(t, err)
	t.Join()
	before := slices.Equal(found, []*kit.Pod{old})
	t.Require(before || len(found) == 0, "Index(%q, %s) was asking its IndexFunc when another goroutine called %s(%s). Before that write %s has the value node-1, and after it no object has it. Index returned %v, which was right at no moment.", byNode, show(given), second, show(now), show(old), showAll(found))
}

// oneObjectMeanwhile makes two writes of an object while another write of it asks the IndexFunc. Any of them may be the last
// one. With one lock to read what is stored and another to write, two of them read the same. It runs outside
// a bubble, as above.
func oneObjectMeanwhile(t *conform.T, s Subject, first, second string) {
	mine, theirs, third := pod("a", 2, "node-2"), pod("a", 3, "node-3"), pod("a", 4, "node-4")
	var c client
	c = start(t, s, map[string]IndexFunc{byNode: interrupted(mine, func() {
		t.Go("second writer", func(a *conform.Actor) { _ = c.as(a).methods()[second](theirs) })
		t.Go("third writer", func(a *conform.Actor) { _ = c.as(a).update(third) })
		t.Wait() // until they wait for the first write, or are done
	})})
	must(t, c.add(pod("a", 1, "node-1")))
	must(t, c.methods()[first](mine))
	t.Join()
	after := fmt.Sprintf("%s(%s) was asking an IndexFunc when two other goroutines called %s(%s) and Update(%s). When all had returned, ", first, show(mine), second, show(theirs), show(third))
	stored := c.list()
	may := []string{show(mine), show(third), show(theirs)}
	if second == "Delete" {
		may[2] = "nothing"
	}
	left := "nothing"
	if len(stored) > 0 {
		left = inOrder(stored)
	}
	t.Require(slices.Contains(may, left), "%swhat is stored has to be one of %s, as the last one has left it, and List returned %v.", after, strings.Join(may, ", "), showAll(stored))
	after += "List returned " + left + ". "
	for node, p := range map[string]*kit.Pod{"node-1": nil, "node-2": mine, "node-3": theirs, "node-4": third} {
		var want []*kit.Pod
		if slices.Contains(stored, p) {
			want = append(want, p)
		}
		c.expectAfter(t, after, byNode, node, want...)
	}
}
