package indexertest

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// sign is one way to see that a write was made.
type sign struct {
	method string
	seen   func(x Indexer) bool
}

// step is a call that changes something, and the signs of it. It is one step, so a reader that has seen one
// of the signs sees all of them from then on.
type step struct {
	call  string
	make  func(x Indexer) error
	signs []sign
}

// signsComeTogether makes one write after the other, and has their signs looked for.
func signsComeTogether(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{byNode: slowly(nodeOf)})
	must(t, c.replace(pod("a", 1, "node-1"), pod("b", 1, "node-1")))
	for _, st := range steps() {
		seenTogether(t, c, st)
	}
}

// longListsShowTogether replaces a long list by another, and adds indices of many objects.
func longListsShowTogether(t *conform.T, s Subject) {
	appOf := func(*kit.Pod) ([]string, error) { return []string{"web"}, nil }
	c := start(t, s, map[string]IndexFunc{byNamespace: namespaceOf, "app": appOf, byNode: nodeOf, "name": nameOf})
	must(t, c.x.Replace(generation(manyAtOnce, 1), "1"))
	for version := 2; version < 7; version++ {
		list := generation(manyAtOnce, version)
		call := fmt.Sprintf("Replace(%d pods of version %d)", manyAtOnce, version)
		new := func(method string, read func(x Indexer) []*kit.Pod) sign {
			return sign{method, func(x Indexer) bool {
				found := read(x)
				return len(found) > 0 && found[0].ResourceVersion == list[0].ResourceVersion
			}}
		}
		under := func(index, value string) sign {
			return new(fmt.Sprintf("ByIndex(%s, %s)", index, value), func(x Indexer) []*kit.Pod { return answerOf(x.ByIndex(index, value)) })
		}
		seenTogether(t, c, step{call, func(x Indexer) error { return x.Replace(list, "2") }, []sign{
			new("List", Indexer.List), under(byNamespace, "default"), under("app", "web"), under(byNode, "node-1"), under("name", "7"),
		}})
	}
	three := map[string]IndexFunc{"new-1": nodeOf, "new-2": namespaceOf, "new-3": appOf}
	seenTogether(t, c, step{fmt.Sprintf("AddIndexers(of three, with %d pods stored)", manyAtOnce), func(x Indexer) error { return x.AddIndexers(three) }, []sign{
		finds("new-1", "node-1", 19), finds("new-2", "default", manyAtOnce), finds("new-3", "web", manyAtOnce),
	}})
}

// seenTogether makes one write. Readers wait for a sign of it each, and look for the others then.
func seenTogether(t *conform.T, c client, st step) {
	var ended atomic.Bool
	t.Go("writer", func(a *conform.Actor) {
		defer ended.Store(true)
		_ = conform.Do(a, func() error { return st.make(c.x) }, "%s", st.call)
	})
	for _, first := range st.signs {
		t.Go("reader", func(*conform.Actor) {
			for !first.seen(c.x) && !ended.Load() {
				runtime.Gosched()
			}
			for _, other := range st.signs {
				if !t.Assert(other.seen(c.x), "%s was called. A reader saw that by %s, and %s, called after that, still returned what was true before: the write was no single step.", st.call, first.method, other.method) {
					return
				}
			}
		})
	}
	t.Join()
}

func steps() []step {
	var all []step
	for version := range 5 {
		all = append(all, comesAndGoes(2*version)...)
	}
	list := []*kit.Pod{pod("a", 9, "node-9"), pod("b", 9, "node-9")}
	six, there := map[string]IndexFunc{}, []sign(nil)
	for _, name := range []string{"new-1", "new-2", "new-3", "new-4", "new-5", "new-6"} {
		six[name], there = slowly(nodeOf), append(there, finds(name, "node-9", 2))
	}
	return append(all,
		step{"Replace(a and b on node-9)", func(x Indexer) error { return x.Replace(list, "9") }, []sign{stores(list[0]), stores(list[1]), finds(byNode, "node-9", 2), finds(byNode, "node-1", 0)}},
		step{"AddIndexers(of six)", func(x Indexer) error { return x.AddIndexers(six) }, there},
	)
}

// comesAndGoes adds an object, moves it and deletes it.
func comesAndGoes(version int) []step {
	added, moved := pod("d", version, "node-2"), pod("d", version+1, "node-3")
	gone := []sign{
		{"GetByKey(default/d)", func(x Indexer) bool { _, ok := x.GetByKey("default/d"); return !ok }},
		{"ListIndexFuncValues(node)", func(x Indexer) bool { return !slices.Contains(x.ListIndexFuncValues(byNode), "node-3") }},
		finds(byNode, "node-3", 0), lists(2),
	}
	return []step{
		{"Add(" + show(added) + ")", func(x Indexer) error { return x.Add(added) }, []sign{stores(added), finds(byNode, "node-2", 1), lists(3)}},
		{"Update(" + show(moved) + ")", func(x Indexer) error { return x.Update(moved) }, []sign{stores(moved), finds(byNode, "node-3", 1), finds(byNode, "node-2", 0)}},
		{"Delete(" + show(moved) + ")", func(x Indexer) error { return x.Delete(moved) }, gone},
	}
}

// finds, stores and lists are signs.
func finds(index, value string, n int) sign {
	return sign{"ByIndex(" + index + ", " + value + ")", func(x Indexer) bool {
		found, err := x.ByIndex(index, value)
		return err == nil && len(found) == n
	}}
}

func stores(p *kit.Pod) sign {
	return sign{"GetByKey(" + kit.Key(p) + ")", func(x Indexer) bool {
		got, ok := x.GetByKey(kit.Key(p))
		return ok && got == p
	}}
}

func lists(n int) sign {
	return sign{"List", func(x Indexer) bool { return len(x.List()) == n }}
}
