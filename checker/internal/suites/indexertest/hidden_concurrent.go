package indexertest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// concurrent is the part of the suite about many goroutines at one indexer.
var concurrent = []conform.Case[Subject]{
	{
		Name:   "everybody-at-once",
		Points: 6,
		Func:   "Indexer.List",
		Rule:   "All methods may be called from any number of goroutines at once, without a data race.",
		Why:    "One informer fills the cache while the workers of ten controllers read it, all day long.",
		Hint: []string{
			"Which of your methods touch the maps without the lock? Go through them one by one: List and ListKeys too.",
			"len(m) and range m are reads of the map. With a writer at work they are races.",
			"RLock is for methods that only read. A method that writes, to an index too, takes Lock.",
		},
		Source:   "client-go tools/cache/thread_safe_store.go: threadSafeMap.lock (every method locks; no test of upstream fails if List does not, even under the race detector)",
		Contract: []string{"Every method may be called from any goroutine", "The indexer neither keeps nor changes the map.", "The indexer neither keeps nor changes the slice."},
		Mode:     conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			indexers := standard()
			indexers["image"] = imageOf
			c := start(t, open(), indexers)
			// Each reader calls one method only: the lock that another takes would
			// order it after the writes, and hide that this one takes none.
			for name, read := range reads {
				t.Go(name, func(a *conform.Actor) {
					for range 25 {
						read(c.as(a))
					}
				})
			}
			for w := range 2 {
				rng := rand.New(rand.NewPCG(t.Seed(), uint64(w)))
				t.Go(fmt.Sprintf("writer %d", w), func(a *conform.Actor) {
					for version := range 25 {
						write(c.as(a), rng, version)
					}
					_ = c.as(a).addIndexers(map[string]IndexFunc{strconv.Itoa(w): nodeOf})
				})
			}
			t.Join()
			for i := range 6 {
				readWhileAdded(t, c, "new-"+strconv.Itoa(i))
			}
			everyWriteCounts(t, start(t, open(), standard()))
			givenToTwo(t, open(), open())
			must(t, c.x.Add(pod("last", 1, "")))
			keys := c.listKeys()
			t.Require(slices.Contains(keys, "default/last"), "After all that default/last was added, and ListKeys returned %v.", keys)
		},
	},
	{
		Name:   "writes-are-one-step",
		Long:   true,
		Points: 6,
		Func:   "Indexer.Update",
		Look:   []string{"Indexer.Update", "Indexer.ByIndex", "Indexer.Index"},
		Rule:   "No reader sees half of an update: what an index returns has the value asked for, and an object that is only ever updated is always there.",
		Why:    "If the index of the old node returns a pod in its new state, a controller evicts it from a node on which it does not run.",
		Hint: []string{
			"Is there a moment when the lock is free, the object is stored, and the index does not follow yet?",
			"Hold one lock for objects and indices, from the first change to the last.",
			"And a reader: does it find the keys and fetch the objects under one RLock, or under two?",
		},
		Source: "client-go tools/cache/thread_safe_store.go: Update, ByIndex (one critical section each)",
		Contract: []string{
			"nobody ever sees half of a write, such as an object that is stored and not indexed yet",
			"At every moment each index holds exactly the stored objects, each under the values of the object as it is stored now.",
			"Every method may be called from any goroutine, and is one step for all others",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				c := start(t, open(), map[string]IndexFunc{byNode: slowly(nodeOf), byTag: tagsOf})
				nodes := []string{"node-0", "node-1"}
				must(t, c.add(pod("a", 0, nodes[0], nodes[0])))
				must(t, c.add(pod("b", 0, nodes[0], nodes[0])))
				t.Go("reader of both", func(a *conform.Actor) {
					for range 60 {
						found, err := c.as(a).index(byTag, pod("given", 0, "", nodes...))
						t.Assert(err == nil, "Index failed although the index exists: %v.", err)
						if !t.Assert(len(found) == 2, "Each of two objects always has one of two values, and Index for an object with both values returned %v, and not two objects: a reader saw half of an update.", showAll(found)) {
							return
						}
					}
				})
				for i, node := range nodes {
					t.Go("reader of "+node, func(a *conform.Actor) {
						for range 60 {
							found, err := c.as(a).byIndex(byNode, node)
							t.Assert(err == nil, "ByIndex failed although the index exists: %v.", err)
							if !everyOn(t, "ByIndex", found, node) {
								return
							}
							found, err = c.as(a).index(byTag, pod("given", 0, "", node))
							t.Assert(err == nil, "Index failed although the index exists: %v.", err)
							if !everyOn(t, "Index", found, node) {
								return
							}
							all := c.as(a).list()
							if !t.Assert(len(all) == 2, "Two objects are stored and only ever updated, and List returned %v, and not two objects.", showAll(all)) {
								return
							}
						}
					})
					t.Go("writer of "+string(rune('a'+i)), func(a *conform.Actor) {
						for version := range 60 {
							_ = c.as(a).update(pod(string(rune('a'+i)), version, nodes[version%2], nodes[version%2]))
						}
					})
				}
			})
			t.Copies(func(t *conform.T) { writersOfOneObject(t, open()) })
			for _, first := range []string{"Add", "Update"} {
				for _, second := range []string{"Add", "Update", "Delete"} {
					writesMeanwhile(t, open(), first, second)
				}
			}
		},
	},
	{
		Name:   "replace-is-one-step",
		Long:   true,
		Points: 5,
		Func:   "Indexer.Replace",
		Rule:   "Readers see all of the old list or all of the new one, in the store and in every index, and nothing between.",
		Why:    "A controller that reads in the middle of a relist and finds no pods creates all of them once more.",
		Hint: []string{
			"What does a reader see after you have removed the old objects and before you have added the last new one?",
			"Build the new maps first. Then take the lock and put them in the place of the old ones, objects and indices together.",
		},
		Source:   "client-go tools/cache/thread_safe_store.go: Replace (under one Lock)",
		Contract: []string{"Every method may be called from any goroutine, and is one step for all others", "nobody ever sees half of a write"},
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) { shortListsAreOneStep(t, open()) })
			longListsAreOneStep(t, open())
			longListsShowTogether(t, open())
		},
	},
}

// shortListsAreOneStep replaces a list by another while two others read.
func shortListsAreOneStep(t *conform.T, s Subject) {
	const few = 8
	c := start(t, s, map[string]IndexFunc{byNamespace: slowly(namespaceOf)})
	old, now := generation(few, 1), generation(few, 2)
	must(t, c.replace(old...))
	t.Go("relist", func(a *conform.Actor) {
		for i := range 24 {
			_ = c.as(a).replace([][]*kit.Pod{now, old}[i%2]...)
		}
	})
	whole := func(who string, read func(c client) []*kit.Pod) {
		t.Go(who, func(a *conform.Actor) {
			for range 60 {
				if !oneGeneration(t, few, read(c.as(a))) {
					return
				}
			}
		})
	}
	whole("lister", client.list)
	whole("namespace lister", func(c client) []*kit.Pod {
		found, err := c.byIndex(byNamespace, "default")
		t.Assert(err == nil, "ByIndex failed although the index exists: %v.", err)
		return found
	})
}

// everyWriteCounts has one goroutine delete objects, one add others and one update another, all at once.
func everyWriteCounts(t *conform.T, c client) {
	const each = 10
	var stored []*kit.Pod
	for i := range each {
		stored = append(stored, pod("gone-"+strconv.Itoa(i), 1, "node-1"))
	}
	must(t, c.x.Replace(stored, "1"))
	last := pod("updated", each, "node-2")
	want := []*kit.Pod{last}
	for i := range each {
		want = append(want, pod("added-"+strconv.Itoa(i), 1, "node-3"))
	}
	write := func(who string, once func(c client, i int)) {
		t.Go(who, func(a *conform.Actor) {
			for i := range each {
				once(c.as(a), i)
			}
		})
	}
	write("deleter", func(c client, i int) { _ = c.delete(stored[i]) })
	write("adder", func(c client, i int) { _ = c.add(want[1+i]) })
	write("updater", func(c client, i int) { _ = c.update(pod("updated", i+1, "node-2")) })
	t.Join()
	after := "Three goroutines wrote at once, each its own objects: one deleted all that were stored, one added others, one updated another. When all calls had returned: "
	c.holdsAfter(t, after, want...)
	c.expectAfter(t, after, byNode, "node-1")
	c.expectAfter(t, after, byNode, "node-2", last)
	c.expectAfter(t, after, byNode, "node-3", want[1:]...)
}

// givenToTwo gives one map and one slice to two indexers at once. Both only read them.
func givenToTwo(t *conform.T, one, two Subject) {
	indexers, more := standard(), map[string]IndexFunc{"name": nameOf}
	list := []*kit.Pod{pod("b", 1, "node-1"), pod("a", 1, "node-1"), pod("a", 2, "node-1")}
	begin := make(chan struct{})
	for i, s := range []Subject{one, two} {
		t.Go(fmt.Sprintf("owner of indexer %d", i), func(a *conform.Actor) {
			<-begin
			a.Note("the next calls get the map and the slice that another indexer gets at the same time")
			x := s.New(indexers)
			c := client{a: a, x: x}
			t.Assert(c.replace(list...) == nil, "Replace returned an error, and no IndexFunc fails.")
			t.Assert(c.addIndexers(more) == nil, "AddIndexers returned an error. The name was new, and no IndexFunc fails.")
		})
	}
	close(begin)
	t.Join()
}

// readWhileAdded has an index added and two readers of each kind make one call. A reader that has called
// nothing before has taken no lock that would order it after AddIndexers, or after the other one of its kind.
func readWhileAdded(t *conform.T, c client, index string) {
	begin := make(chan struct{})
	for name, read := range reads {
		for range 2 {
			t.Go(name, func(a *conform.Actor) {
				<-begin
				read(c.as(a))
			})
		}
	}
	t.Go("adder", func(a *conform.Actor) {
		<-begin
		_ = c.as(a).addIndexers(map[string]IndexFunc{index: nodeOf})
	})
	close(begin)
	t.Join()
}

// writersOfOneObject has two goroutines move one object. An index that reads
// what was stored under one lock and removes it under the next leaves it there.
func writersOfOneObject(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{byNode: slowly(nodeOf)})
	for w := range 2 {
		t.Go(fmt.Sprintf("writer %d", w), func(a *conform.Actor) {
			for version := range 100 {
				_ = c.as(a).update(pod("a", version, fmt.Sprintf("node-%d-%d", w, version)))
			}
		})
	}
	t.Join()
	stored := c.list()
	t.Require(len(stored) == 1, "Two goroutines have updated one object, and List returned %v, and not one object.", showAll(stored))
	c.expect(t, byNode, stored[0].Spec.NodeName, stored...)
	c.lists(t, byNode, stored[0].Spec.NodeName)
}

// slowly is f as an index function that lets others run. If the indexer holds its lock
// meanwhile, as most do, they queue up there, and get in as soon as it is free.
func slowly(f IndexFunc) IndexFunc {
	return func(p *kit.Pod) ([]string, error) {
		runtime.Gosched()
		return f(p)
	}
}

// writesMeanwhile makes a write of one object while another write asks the IndexFunc about its own. Both count. It
// runs outside a bubble, where a goroutine that waits for a lock counts as blocked.
func writesMeanwhile(t *conform.T, s Subject, first, second string) {
	mine, theirs := pod("c", 2, "node-2"), pod("d", 2, "node-3")
	if first != "Add" {
		mine.Name = "a"
	}
	if second != "Add" {
		theirs.Name = "b"
	}
	var c client
	var once sync.Once
	call := func(c client, what string, p *kit.Pod) error {
		return c.write(what, p, map[string]func(*kit.Pod) error{"Add": c.x.Add, "Update": c.x.Update, "Delete": c.x.Delete}[what])
	}
	c = start(t, s, map[string]IndexFunc{byNode: func(p *kit.Pod) ([]string, error) {
		if p == mine {
			once.Do(func() {
				t.Go("second writer", func(a *conform.Actor) { _ = call(c.as(a), second, theirs) })
				t.Wait() // until it waits for the first write, or is done
			})
		}
		return nodeOf(p)
	}})
	want := map[string]*kit.Pod{"a": pod("a", 1, "node-1"), "b": pod("b", 1, "node-1")}
	must(t, c.replace(want["a"], want["b"]))
	must(t, call(c, first, mine))
	t.Join()
	want[mine.Name], want[theirs.Name] = mine, theirs
	if second == "Delete" {
		delete(want, theirs.Name)
	}
	after := fmt.Sprintf("%s(%s) was asking an IndexFunc when another goroutine called %s(%s). When both had returned: ", first, show(mine), second, show(theirs))
	c.holdsAfter(t, after, slices.Collect(maps.Values(want))...)
	c.expectAfter(t, after, byNode, "node-2", mine)
	if second != "Delete" {
		c.expectAfter(t, after, byNode, "node-3", theirs)
	}
}

// reads is every method that reads, by the name of the one who calls it.
var reads = map[string]func(c client){
	"Get":                 func(c client) { _, _ = c.get(pod("a", 0, "")) },
	"GetByKey":            func(c client) { _, _ = c.getByKey("default/a") },
	"List":                func(c client) { _ = c.list() },
	"ListKeys":            func(c client) { _ = c.listKeys() },
	"Index":               func(c client) { _, _ = c.index(byTag, pod("a", 0, "", "x", "y")) },
	"Index that fails":    func(c client) { _, _ = c.index("image", bad("a", 0, "")) },
	"ByIndex":             func(c client) { _, _ = c.byIndex(byNode, "node-1") },
	"IndexKeys":           func(c client) { _, _ = c.indexKeys(byNamespace, "default") },
	"ListIndexFuncValues": func(c client) { _ = c.values(byNode) },
}

// write makes one write of any kind.
func write(c client, rng *rand.Rand, version int) {
	p := pod(string(rune('a'+rng.IntN(3))), version, "node-"+strconv.Itoa(rng.IntN(2)), "x", string(rune('x'+rng.IntN(3))))
	switch rng.IntN(6) {
	case 0:
		_ = c.delete(p)
	case 1:
		_ = c.replace(p)
	case 2:
		_ = c.add(p)
	default:
		_ = c.update(p)
	}
}

// everyOn reports whether all pods that a method found are on node.
func everyOn(t *conform.T, method string, pods []*kit.Pod, node string) bool {
	for _, p := range pods {
		if !t.Assert(p.Spec.NodeName == node, "%s was asked for %s and returned %s: an object in its new state, under the value that it had before, or the other way round. A reader saw half of an update.", method, node, show(p)) {
			return false
		}
	}
	return true
}

// generation is a list of n pods that all have one version.
func generation(n, version int) []*kit.Pod {
	var pods []*kit.Pod
	for i := range n {
		pods = append(pods, pod(strconv.Itoa(i), version, fmt.Sprint("node-", i%64)))
	}
	return pods
}

// oneGeneration reports whether listed is all of a generation of n.
func oneGeneration(t *conform.T, n int, listed []*kit.Pod) bool {
	of := map[string]int{}
	for _, p := range listed {
		of[p.ResourceVersion]++
	}
	return t.Assert(len(of) == 1 && len(listed) == n, "Each list that Replace was given has %d objects of one version. A reader found %d of version 1 and %d of version 2: it saw something between two lists.", n, of["1"], of["2"])
}
