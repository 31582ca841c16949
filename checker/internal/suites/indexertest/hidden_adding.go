package indexertest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// adding is the part of the suite about indices that come later, index functions that
// fail, and whose memory is whose.
var adding = []conform.Case[Subject]{
	{
		Name:   "new-indices-know-the-old-objects",
		Points: 5,
		Func:   "Indexer.AddIndexers",
		Look:   []string{"Indexer.AddIndexers", "Indexer.Update", "Indexer.Replace"},
		Rule:   "An index that is added later contains all objects that are stored already, and from then on stays as exact as any other.",
		Why:    "Two controllers share one informer. The second one adds its own index when it starts, and by then the cache has its objects.",
		Hint: []string{
			"The indexer has objects already. What puts them into the new index?",
			"Go through all stored objects once, with the new IndexFuncs.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: AddIndexers (If there are already items, index them)",
		Contract: []string{
			"AddIndexers adds indices. When it returns, they contain the objects that are stored already.",
			"Every method may be called from any goroutine, and is one step for all others",
			"At every moment each index holds exactly the stored objects",
			"Names and values may be any strings, the empty one too, and two that differ in one byte are different.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				c := start(t, open(), map[string]IndexFunc{byNamespace: namespaceOf})
				a, b := pod("a", 1, "node-1", "x", "y"), pod("b", 2, "node-1")
				must(t, c.add(a))
				must(t, c.add(b))
				must(t, c.addIndexers(nil)) // nothing to add is no error
				must(t, c.addIndexers(map[string]IndexFunc{byNode: nodeOf, byTag: tagsOf}))
				c.expect(t, byNode, "node-1", a, b)
				c.expect(t, byTag, "y", a)
				c.expect(t, byNamespace, "default", a, b)
				a = pod("a", 3, "node-2", "z")
				must(t, c.update(a))
				c.expect(t, byNode, "node-2", a)
				c.lists(t, byTag, "z")
				must(t, c.replace(a))
				c.lists(t, byNode, "node-2")
				must(t, c.delete(a))
				c.lists(t, byNode)

				c = start(t, open(), nil) // has no index yet
				must(t, c.add(a))
				must(t, c.addIndexers(map[string]IndexFunc{byNode: nodeOf}))
				c.expect(t, byNode, "node-2", a)
				addedBesideAnOldOne(t, open())
				addedToAnEmptyCache(t, open())
				namesAreExact(t, open())
			})
			addedMeanwhile(t, open())
			addedToAWrite(t, open())
			addedAllAtOnce(t, open())
		},
	},
	{
		Name:   "name-conflicts-add-nothing",
		Points: 5,
		Func:   "Indexer.AddIndexers",
		Rule:   "AddIndexers with a name that exists returns an error, leaves the old index as it is, adds none of the new ones and keeps nothing of them.",
		Why:    "Two controllers that mean different things by \"node\" must find out when they start, not when one of them reads the other's index.",
		Hint: []string{
			"Two of three names are new. What has your AddIndexers done when it meets the third?",
			"Look at all names first. Go walks through a map in another order each time, so a test that passes once says little here.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: addIndexers (indexer conflict; no test of upstream fails without it)",
		Contract: []string{
			"If an index with one of these names already exists, it returns an error and adds none of them",
			"Nor does it keep any object that is not stored now: no deleted one, no older state, none of a write that failed, nor a slice inside one, such as an IndexFunc may have returned.",
			"Every method may be called from any goroutine, and is one step for all others",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { conflictsAddNothing(t, open()) })
			t.Copies(func(t *conform.T) { oneOfTwoAdds(t, open()) })
			keepsNotTheLast(t, open(), conflictingWays())
		},
	},
	{
		Name:   "failing-index-func-changes-nothing",
		Points: 6,
		Func:   "Indexer.Update",
		Look:   conform.Anywhere,
		Rule:   "A write whose IndexFunc fails returns the IndexFunc's error, wrapped or as it is, leaves all objects and indices as they were, and keeps nothing.",
		Why:    "If an object is stored and in half of its indices, one controller finds it and the next does not. client-go panics there, and ends every controller of the process.",
		Hint: []string{
			"The second of three IndexFuncs fails. What has been done for the first by then?",
			"Call all IndexFuncs before you change anything: first compute, then write.",
			"Replace and AddIndexers can build everything new aside, and put it in place at the end.",
		},
		Source: "the contract of this lab; client-go tools/cache/thread_safe_store.go: updateSingleIndex (panics)",
		Contract: []string{
			"If an IndexFunc returns an error, with values or without, the Add, Update, Replace or AddIndexers that needed its answer returns that error, as it is or wrapped so that errors.Is finds that very error, and has changed nothing: the objects and all indices are as they were.",
			"Of several objects with the same key the last one counts, as if the others were not in list.",
			"An error of the IndexFunc is returned, as it is or wrapped so that errors.Is finds that very error.",
			"If several fail, it returns the error of any of them.",
			"Index calls its own, also where nothing is stored, and only for the object that it is given.",
			"A write calls an IndexFunc only for objects that it writes and for stored ones that it replaces or removes.",
			"Nor does it keep any object that is not stored now: no deleted one, no older state, none of a write that failed, nor a slice inside one, such as an IndexFunc may have returned.",
			"A value without an object does not exist: it is not listed, and the indexer keeps nothing of it",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				s := open()
				for range 10 { // the order in which a map is gone through is random
					failsNowhere(t, s, nil)
					failsNowhere(t, s, []string{"bad"})
					failsBesideSharedValues(t, s)
					failsBeforeAnythingIsStored(t, s)
					needsNoneButTheLast(t, s)
				}
				failsForOneOfSome(t, s)
				asksWhereItFails(t, s)
			})
			t.Copies(func(t *conform.T) { twoFailAtOnce(t, open()) })
			keepsNotTheLast(t, open(), failingWays())
			valuesOfFailedWrites(t, open())
		},
	},
	{
		Name:   "slices-and-maps-are-the-callers",
		Points: 5,
		Func:   "Indexer.ByIndex",
		Look:   conform.Anywhere,
		Rule:   "The caller may write to every slice that a method returned, and no later write changes it; the maps that New and AddIndexers were given and the list that Replace was given stay the caller's.",
		Why:    "A controller sorts the pods it got, to delete the youngest first. If it sorted the index itself, all others would read it half sorted.",
		Hint: []string{
			"Do you return a slice that you still hold?",
			"Make a new slice in every call, while you hold the lock, and copy the objects into it.",
			"And New: AddIndexers adds to your map of indices. Is that the caller's?",
		},
		Source: "client-go tools/cache/thread_safe_store.go: ByIndex, List (new slices); client-go tools/cache/thread_safe_store.go: IndexKeys (sets.List)",
		Contract: []string{
			"The slices that methods return belong to the caller, who may write to them and append to them.",
			"The indexer neither keeps nor changes the map.",
			"The indexer neither keeps nor changes the slice.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			indexers := standard()
			c := start(t, s, indexers)
			pods := []*kit.Pod{pod("a", 1, "node-1", "x"), pod("b", 2, "node-1", "x", "y"), pod("d", 3, "node-1", "x")}
			must(t, c.replace(pods...))
			for range 2 {
				before, err := c.byIndex(byTag, "x")
				must(t, err)
				scribble(t, c)
				c.holds(t, pods...)
				c.expect(t, byTag, "x", pods...)
				c.expect(t, byTag, "y", pods[1])
				c.lists(t, byTag, "x", "y")
				must(t, c.update(pod("b", 4, "node-2", "z")))
				must(t, c.delete(pods[0]))
				t.Require(slices.Equal(showAll(before), showAll(pods)), "ByIndex had returned %v, and after later writes the same slice holds %v: it is the caller's.", showAll(pods), showAll(before))
				must(t, c.add(pods[0]))
				must(t, c.add(pods[1]))
			}
			must(t, c.addIndexers(map[string]IndexFunc{"image": imageOf}))
			t.Require(len(indexers) == 3, "AddIndexers has written into the map that New was given: it had 3 index functions, and has %d.", len(indexers))
			second := start(t, s, indexers)
			must(t, second.addIndexers(map[string]IndexFunc{"image": imageOf}))
			keepsNoMap(t, s)
			keepsNoWrittenMap(t, s)
			writesToItsMap(t, s)
			writesToItsList(t, s)
			keepsItsList(t, s)
			keepsItsAnswers(t, start(t, s, standard()))
			appendsToItsAnswers(t, start(t, s, standard()))
		},
	},
}

// conflictsAddNothing has AddIndexers meet a name that exists.
func conflictsAddNothing(t *conform.T, s Subject) {
	for range 20 { // the order in which a map is gone through is random
		c := start(t, s, map[string]IndexFunc{byNode: nodeOf})
		err := c.addIndexers(map[string]IndexFunc{byNode: tagsOf})
		t.Require(err != nil, "Nothing is stored. AddIndexers was given an index named \"node\", which exists, and returned no error.")
		a := pod("a", 1, "node-1", "x")
		must(t, c.add(a))
		err = c.addIndexers(map[string]IndexFunc{byNode: tagsOf, byTag: tagsOf, byNamespace: namespaceOf})
		t.Require(err != nil, "AddIndexers was given an index named \"node\", which exists, and returned no error.")
		failed := "AddIndexers had failed, and should have changed nothing: "
		c.expectAfter(t, failed, byNode, "node-1", a)
		c.listsAfter(t, failed, byNode, "node-1")
		for _, name := range []string{byTag, byNamespace} {
			_, err = c.byIndex(name, "x")
			t.Require(err != nil, "AddIndexers returned an error because of another name, and the index %q of the same call exists all the same: it adds all of them or none.", name)
		}
		isFree(t, byTag, c.addIndexers(map[string]IndexFunc{byTag: tagsOf}))
		c.expect(t, byTag, "x", a)
		err = c.addIndexers(map[string]IndexFunc{byTag: nodeOf})
		t.Require(err != nil, "AddIndexers had added an index named \"tag\". Now it was called again with an index of that name, and returned no error.")
		c.expectAfter(t, failed, byTag, "x", a)
	}
}

// isFree requires that AddIndexers has added an index under the name that one that failed should have left free.
func isFree(t *conform.T, name string, err error) {
	t.Require(err == nil, "An AddIndexers with a new index %q and others had failed, so it added none of them. Now there is no index of that name, and AddIndexers with one returned %s: the first call has left the name behind.", name, conform.Said(err))
}

// oneOfTwoAdds has two goroutines add an index of one name at once: the second to come is too late.
func oneOfTwoAdds(t *conform.T, s Subject) {
	for range 10 {
		c := start(t, s, nil)
		must(t, c.add(pod("a", 1, "node-1", "tag-1")))
		var errs [2]error
		for i, f := range []IndexFunc{nodeOf, tagsOf} {
			t.Go(fmt.Sprintf("controller %d", i), func(a *conform.Actor) {
				errs[i] = c.as(a).addIndexers(map[string]IndexFunc{"new": slowly(f)})
			})
		}
		t.Join()
		t.Require((errs[0] == nil) != (errs[1] == nil), "Two goroutines called AddIndexers at once, each with an index \"new\" of its own. One has to get an error, and they got %v and %v.", errs[0], errs[1])
		value := "node-1"
		if errs[0] != nil {
			value = "tag-1"
		}
		c.lists(t, "new", value)
	}
}

// addedBesideAnOldOne asks for an index, adds it, and then changes objects that were stored before: in the
// old index, too.
func addedBesideAnOldOne(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{byNode: nodeOf})
	a, b := pod("a", 1, "node-1", "x", "y"), pod("b", 1, "node-2", "z")
	must(t, c.replace(a, b))
	same(t, []string{}, sorted(c.values(byTag)), "ListIndexFuncValues of an index that does not exist yet")
	_, err := c.byIndex(byTag, "x")
	t.Require(err != nil, "There is no index \"tag\" yet, and ByIndex returned no error for it.")
	must(t, c.addIndexers(map[string]IndexFunc{byTag: tagsOf}))
	c.lists(t, byTag, "x", "y", "z")
	a = pod("a", 2, "node-3", "w")
	must(t, c.update(a))
	c.expect(t, byNode, "node-3", a)
	c.lists(t, byNode, "node-2", "node-3")
	c.lists(t, byTag, "w", "z")
	must(t, c.delete(b))
	c.lists(t, byNode, "node-3")
	c.lists(t, byTag, "w")
	must(t, c.delete(a))
	c.lists(t, byNode)
	c.lists(t, byTag)
}

// addedToAnEmptyCache adds two indices before anything is stored.
func addedToAnEmptyCache(t *conform.T, s Subject) {
	c := start(t, s, nil)
	must(t, c.addIndexers(map[string]IndexFunc{byNode: nodeOf, byTag: tagsOf}))
	c.lists(t, byNode)
	a, b := pod("a", 1, "x", "y"), pod("b", 2, "z", "x") // x is a node, and a tag
	must(t, c.add(a))
	must(t, c.add(b))
	c.expect(t, byNode, "x", a)
	c.expect(t, byTag, "x", b)
	c.lists(t, byNode, "x", "z")
	c.lists(t, byTag, "x", "y")
}

// namesAreExact has indices whose names differ in little.
func namesAreExact(t *conform.T, s Subject) {
	by := func(value string) IndexFunc {
		return func(*kit.Pod) ([]string, error) { return []string{value}, nil }
	}
	nearlyEqualNames(t, s, by)
	a := pod("a", 1, "")
	c := start(t, s, map[string]IndexFunc{"node": by("1"), "": by("2")})
	must(t, c.add(a))
	must(t, c.addIndexers(map[string]IndexFunc{"Node": by("3"), " node": by("4")}))
	must(t, c.addIndexers(map[string]IndexFunc{"node ": by("5"), " ": by("6")}))
	for name, value := range map[string]string{"node": "1", "": "2", "Node": "3", " node": "4", "node ": "5", " ": "6"} {
		c.expect(t, name, value, a)
		c.lists(t, name, value)
	}
	c = start(t, s, map[string]IndexFunc{"node": by("1")})
	must(t, c.addIndexers(map[string]IndexFunc{"": by("2")}))
	must(t, c.add(a))
	c.expect(t, "", "2", a)
}

// nearlyEqualNames adds each of some indices first, alone, and then all others.
func nearlyEqualNames(t *conform.T, s Subject, by func(value string) IndexFunc) {
	var c client
	knows := func(name string) bool {
		_, err := c.byIndex(name, "1")
		return err == nil
	}
	a := pod("a", 1, "")
	for i, name := range nearlyEqual {
		c = start(t, s, map[string]IndexFunc{})
		others := map[string]IndexFunc{}
		for j, other := range nearlyEqual {
			if other != name {
				others[other] = by(strconv.Itoa(j))
			}
		}
		must(t, c.addIndexers(map[string]IndexFunc{name: by(strconv.Itoa(i))}))
		for _, other := range nearlyEqual {
			t.Require(knows(other) == (other == name), "The only index is %q. ByIndex was asked for the index %q, and that it returned no error is %t. Names that differ in one byte are different.", name, other, knows(other))
		}
		must(t, c.addIndexers(others))
		must(t, c.add(a))
		for j, other := range nearlyEqual {
			c.lists(t, other, strconv.Itoa(j))
		}
	}
}

// addedMeanwhile adds an object, removes one and changes one while AddIndexers asks the
// new IndexFunc about those that are stored. It runs outside a bubble, where a goroutine
// that waits for a lock counts as blocked.
func addedMeanwhile(t *conform.T, s Subject) {
	c := start(t, s, nil)
	must(t, c.add(pod("changed", 1, "node-1")))
	must(t, c.add(pod("removed", 2, "node-1")))
	added, changed := pod("added", 3, "node-1"), pod("changed", 4, "node-2")
	var once sync.Once
	must(t, c.addIndexers(map[string]IndexFunc{byNode: func(p *kit.Pod) ([]string, error) {
		once.Do(func() {
			t.Go("writer", func(a *conform.Actor) {
				me := c.as(a)
				_ = me.add(added)
				_ = me.delete(pod("removed", 5, ""))
				_ = me.update(changed)
			})
			t.Wait() // until it waits for AddIndexers, or is done
		})
		return nodeOf(p)
	}}))
	t.Join()
	c.holds(t, added, changed)
	c.expect(t, byNode, "node-1", added)
	c.expect(t, byNode, "node-2", changed)
	c.lists(t, byNode, "node-1", "node-2")
}

// addedToAWrite adds an index while a write asks the IndexFunc of another. Outside a bubble, as above.
func addedToAWrite(t *conform.T, s Subject) {
	for _, way := range []string{"Add", "Update", "Replace"} {
		old, written := pod("a", 1, "node-1", "x"), pod("a", 2, "node-2", "y")
		if way == "Add" {
			written = pod("b", 2, "node-2", "y")
		}
		var c client
		var once sync.Once
		var added error
		c = start(t, s, map[string]IndexFunc{byNode: func(p *kit.Pod) ([]string, error) {
			if p == written {
				once.Do(func() {
					t.Go("adder", func(a *conform.Actor) { added = c.as(a).addIndexers(map[string]IndexFunc{byTag: tagsOf}) })
					t.Wait() // until it waits for the write, or is done
				})
			}
			return nodeOf(p)
		}})
		must(t, c.add(old))
		stored := []*kit.Pod{written}
		switch way {
		case "Add":
			must(t, c.add(written))
			stored = append(stored, old)
		case "Update":
			must(t, c.update(written))
		case "Replace":
			must(t, c.replace(written))
		}
		t.Join()
		must(t, added)
		after := fmt.Sprintf("%s(%s) was asking an IndexFunc when AddIndexers was called. When both had returned: ", way, show(written))
		c.holdsAfter(t, after, stored...)
		c.expectAfter(t, after, byNode, "node-2", written)
		_, err := c.byIndex(byTag, "y")
		t.Require(err == nil, "%sByIndex returned %s. The index that AddIndexers has added is lost.", after, conform.Said(err))
		c.expectAfter(t, after, byTag, "y", written)
		c.expectAfter(t, after, byTag, "x", stored[1:]...)
	}
}

// addedAllAtOnce adds an index of many objects while somebody reads it: there is no such index, or it has all of them.
func addedAllAtOnce(t *conform.T, s Subject) {
	c := start(t, s, nil)
	var pods []*kit.Pod
	for i := range manyAtOnce {
		pods = append(pods, pod(strconv.Itoa(i), 1, "node-1"))
	}
	must(t, c.x.Replace(pods, "1"))
	var ended atomic.Bool
	t.Go("reader", func(*conform.Actor) {
		for !ended.Load() {
			found, err := c.x.ByIndex(byNode, "node-1")
			if !t.Assert(err != nil || len(found) == manyAtOnce, "%d objects were stored when AddIndexers was called, all under one value of the new index. A reader found %d there.", manyAtOnce, len(found)) {
				return
			}
		}
	})
	must(t, c.addIndexers(map[string]IndexFunc{byNode: nodeOf}))
	ended.Store(true)
	t.Join()
}

// keepsNoMap adds indices to an indexer that has none, twice. The maps stay as they were given.
func keepsNoMap(t *conform.T, s Subject) {
	none, first, second := map[string]IndexFunc{}, map[string]IndexFunc{byNode: nodeOf}, map[string]IndexFunc{byTag: tagsOf}
	c := start(t, s, none)
	must(t, c.addIndexers(first))
	must(t, c.addIndexers(second))
	t.Require(len(none) == 0, "New was given an empty map, and after AddIndexers there are %d index functions in it: the map is the caller's.", len(none))
	t.Require(len(first) == 1 && len(second) == 1, "AddIndexers was given a map with one index function, and then another such map. Now there are %d in the first and %d in the second: the maps are the caller's.", len(first), len(second))
	more := map[string]IndexFunc{byNode: nodeOf, "image": imageOf}
	err := c.addIndexers(more)
	t.Require(err != nil && len(more) == 2, "AddIndexers was given a map with an index \"node\", which exists, and another one. It returned %s, and %d of 2 index functions are in the map now: it has to return an error, and the map is the caller's.", conform.Said(err), len(more))
	t.Do(func() { clear(first); clear(second) }, "clears the maps that AddIndexers was given")
	a := pod("a", 1, "node-1", "x")
	must(t, c.add(a))
	c.expect(t, byNode, "node-1", a)
	c.expect(t, byTag, "x", a)
}

// writesToItsMap has the caller of New go on using its map.
func writesToItsMap(t *conform.T, s Subject) {
	mine := standard()
	c := start(t, s, mine)
	t.Do(func() {
		delete(mine, byNamespace)
		mine[byNode], mine["image"] = tagsOf, imageOf
	}, "writes to the map that New was given: namespace is gone, node has another IndexFunc, image is new")
	a := pod("a", 1, "node-1", "x")
	must(t, c.add(a))
	for name, value := range map[string]string{byNamespace: "default", byNode: "node-1", byTag: "x"} {
		found, err := c.byIndex(name, value)
		t.Require(err == nil && slices.Equal(showAll(found), []string{show(a)}), "The map that New was given stays the caller's, who has written to it since. The indexer keeps it: ByIndex(%q, %q) returned %v, %v, and it has to return %v.", name, value, showAll(found), err, show(a))
	}
	_, err := c.byIndex("image", "")
	t.Require(err != nil, "The caller of New has written an index \"image\" into its map since. The map is the caller's, and the indexer has an index of that name now.")
}

// writesToItsList has the caller of Replace use its slice for the next list.
func writesToItsList(t *conform.T, s Subject) {
	c := start(t, s, standard())
	a, b := pod("a", 1, "node-1", "x"), pod("b", 2, "node-1")
	mine := []*kit.Pod{a, b}
	must(t, c.replace(mine...))
	t.Do(func() { clear(mine) }, "clears the slice that Replace was given")
	c.holdsAfter(t, "The slice that Replace was given is the caller's, who has cleared it since. ", a, b)
	c.expectAfter(t, "The slice that Replace was given is the caller's, who has cleared it since. ", byNode, "node-1", a, b)
}

// keepsItsList looks at the slice that Replace was given, and past its end.
func keepsItsList(t *conform.T, s Subject) {
	b, a, d := pod("b", 1, ""), pod("a", 1, ""), pod("d", 1, "")
	for _, list := range [][]*kit.Pod{{b, d, a}, {a, b, d}, {d, b, a}, {a, a, d}, {b, a, b}} {
		c := start(t, s, standard())
		must(t, c.add(pod("e", 1, "")))
		given := append(slices.Clone(list), d, b)
		must(t, c.replace(given[:3]...))
		c.lists(t, byNode)
		t.Require(slices.Equal(given[:3], list), "Replace was given the list [%s], in this order, and the caller finds [%s] in it: the list is the caller's.", inOrder(list), inOrder(given[:3]))
		t.Require(given[3] == d && given[4] == b, "Replace was given a slice of three objects, and has written past its end: the slice is the caller's.")
	}
}

// appendsToItsAnswers asks each method several times, and appends to all answers: to those with something in them, and
// to those that are empty.
func appendsToItsAnswers(t *conform.T, c client) {
	must(t, c.replace(pod("a", 1, "node-1", "x"), pod("b", 1, "node-1", "y")))
	appendsUnder(t, c, "node-1", "x", "y")
	appendsUnder(t, c, "no such node", "no", "such tag")
	must(t, c.replace())
	appendsUnder(t, c, "node-1", "x", "y")
}

// appendsUnder appends to what is found under this node and these tags, and to what needs neither.
func appendsUnder(t *conform.T, c client, node string, tags ...string) {
	var objects []answer[*kit.Pod]
	var texts []answer[string]
	for range 3 {
		objects = append(objects,
			answer[*kit.Pod]{"List", c.list()},
			answer[*kit.Pod]{"ByIndex", answerOf(c.byIndex(byNode, node))},
			answer[*kit.Pod]{"Index, for a pod with one value,", answerOf(c.index(byNode, pod("given", 1, node)))},
			answer[*kit.Pod]{"Index, for a pod with two values,", answerOf(c.index(byTag, pod("given", 1, "", tags...)))},
			answer[*kit.Pod]{"Index, for a pod without values,", answerOf(c.index(byTag, pod("given", 1, "")))})
		texts = append(texts,
			answer[string]{"ListKeys", c.listKeys()},
			answer[string]{"IndexKeys", answerOf(c.indexKeys(byNode, node))},
			answer[string]{"ListIndexFuncValues", c.values(byTag)},
			answer[string]{"ListIndexFuncValues, for no such index,", c.values("none")})
	}
	appends(t, objects, func(i int) *kit.Pod { return pod("appended", i, "") }, inOrder)
	appends(t, texts, func(i int) string { return "appended-" + strconv.Itoa(i) }, func(list []string) string { return strings.Join(list, ", ") })
}

// answer is what a method has returned.
type answer[E any] struct {
	method string
	list   []E
}

// answerOf is what a call has returned beside its error.
func answerOf[E any](found []E, _ error) []E { return found }

// appends has the caller of each answer fill the room behind it with something of its own, and then looks at all of them.
func appends[E any](t *conform.T, answers []answer[E], mine func(i int) E, inWords func([]E) string) {
	var whole [][]E
	for i, a := range answers {
		list := slices.Clone(a.list)
		for len(list) < cap(a.list) {
			list = append(list, mine(i))
		}
		whole = append(whole, list)
	}
	for i, a := range answers {
		for len(a.list) < cap(a.list) {
			a.list = append(a.list, mine(i))
		}
		answers[i] = a
	}
	for i, a := range answers {
		at := differAt(whole[i], a.list, inWords)
		should, now := inWords(few(whole[i][at:])), inWords(few(a.list[at:]))
		t.Require(should == now, "Each caller appended to the slice that it got, and no further than there is room in it. That of %s has %d elements then. Those from index %d on should begin with [%s], and they begin with [%s]: another slice has the same memory. The slices that methods return belong to the caller, who may append to them.", a.method, len(whole[i]), at, should, now)
	}
}

// differAt is the index of the first element that is not the same in both, or their length.
func differAt[E any](want, got []E, inWords func([]E) string) int {
	for i := range want {
		if inWords(want[i:i+1]) != inWords(got[i:i+1]) {
			return i
		}
	}
	return len(want)
}

// few is the beginning of list.
func few[E any](list []E) []E { return list[:min(len(list), 4)] }

// keepsItsAnswers asks each method twice, with another answer due, and looks at the first answers then.
func keepsItsAnswers(t *conform.T, c client) {
	ask := func() (pods map[string][]*kit.Pod, names map[string][]string) {
		under, err := c.byIndex(byNode, "node-1")
		must(t, err)
		one, err := c.index(byNode, pod("given", 1, "node-1"))
		must(t, err)
		shared, err := c.index(byTag, pod("given", 1, "", "x", "y"))
		must(t, err)
		keys, err := c.indexKeys(byNode, "node-1")
		must(t, err)
		return map[string][]*kit.Pod{"List": c.list(), "ByIndex": under, "Index, for a pod with one value,": one, "Index, for a pod with two values,": shared},
			map[string][]string{"ListKeys": c.listKeys(), "IndexKeys": keys, "ListIndexFuncValues": c.values(byTag)}
	}
	must(t, c.replace(pod("a", 1, "node-1", "x"), pod("b", 1, "node-1", "y")))
	pods, names := ask()
	before := map[string]string{}
	for method, list := range pods {
		before[method] = inOrder(list)
	}
	for method, list := range names {
		before[method] = strings.Join(list, ", ")
	}
	must(t, c.replace(pod("c", 2, "node-1", "x", "z"), pod("d", 2, "node-1", "y")))
	ask()
	for method, list := range pods {
		names[method] = []string{inOrder(list)}
	}
	for method, list := range names {
		now := strings.Join(list, ", ")
		t.Require(now == before[method], "%s returned [%s]. The same method was called again after a write, and the first slice holds [%s] now: it is the caller's.", method, before[method], now)
	}
}

// errImage is an index function's own error. It wraps another, which is not what a call has to return.
var errImage = fmt.Errorf("the index function's own error, %w", errors.New("which wraps another one"))

// imageOf is an index function that fails for images called bad.
func imageOf(p *kit.Pod) ([]string, error) { return imageOr(nil)(p) }

// imageOr is imageOf, and returns these values beside its error.
func imageOr(beside []string) IndexFunc {
	return func(p *kit.Pod) ([]string, error) {
		if p.Spec.Image == "bad" {
			return beside, errImage
		}
		return []string{p.Spec.Image}, nil
	}
}

// bad is a pod for which imageOf fails.
func bad(name string, version int, node string, tags ...string) *kit.Pod {
	p := pod(name, version, node, tags...)
	p.Spec.Image = "bad"
	return p
}

// failsNowhere has writes fail, by an index function that returns these values beside its error, and
// requires that they change nothing.
func failsNowhere(t *conform.T, s Subject, beside []string) {
	indexers := standard()
	indexers["image"] = imageOr(beside)
	c := start(t, s, indexers)
	a := pod("a", 1, "node-1", "x")
	must(t, c.add(a))
	writes := []func() error{
		func() error { return c.update(bad("a", 2, "node-2", "y")) },
		func() error { return c.add(bad("b", 3, "node-2", "y")) },
		func() error { return c.replace(pod("b", 4, "node-3", "z"), bad("a", 5, "node-2", "y")) },
		func() error {
			return c.addIndexers(map[string]IndexFunc{
				"name":    func(p *kit.Pod) ([]string, error) { return []string{p.Name}, nil },
				"refuses": func(*kit.Pod) ([]string, error) { return beside, errImage },
			})
		},
	}
	names := []string{"Update", "Add", "Replace", "AddIndexers"}
	for i, write := range writes {
		err := write()
		t.Require(errors.Is(err, errImage), "%s, and %s has to return that error, wrapped or as it is, and returned %s.", failure(beside), names[i], conform.Said(err))
		failed := names[i] + " had failed, and should have changed nothing: "
		c.holdsAfter(t, failed, a)
		c.expectAfter(t, failed, byNode, "node-1", a)
		c.listsAfter(t, failed, byNode, "node-1")
		c.listsAfter(t, failed, byTag, "x")
		c.expectAfter(t, failed, "image", "", a)
	}
	for _, name := range []string{"name", "refuses"} {
		_, err := c.byIndex(name, "a")
		t.Require(err != nil, "An IndexFunc of AddIndexers failed, and the index %q of the same call exists all the same: it adds all of them or none.", name)
	}
	isFree(t, "refuses", c.addIndexers(map[string]IndexFunc{"refuses": nodeOf}))
	c.expect(t, "refuses", "node-1", a)
	indexFails(t, c, "Only "+show(a)+" is stored", beside)
	moved := pod("a", 7, "node-2", "y")
	must(t, c.update(moved))
	c.expect(t, byNode, "node-2", moved)
	c.lists(t, byTag, "y")
	err := c.delete(bad("a", 8, "")) // whose values are nobody's business
	t.Require(err == nil, "Delete(default/a@8) returned %s. The stored object is default/a@7, for which no IndexFunc fails. The argument is the object that Delete was given, for which one does: Delete needs none of its values, only its key.", conform.Said(err))
	c.holds(t)
	c.lists(t, byNode)
}

// failure is what an IndexFunc did that returned these values beside its error, in words.
func failure(beside []string) string {
	if len(beside) == 0 {
		return "An IndexFunc failed with an error of its own"
	}
	return fmt.Sprintf("An IndexFunc returned both the values %q and an error of its own. It failed, with values or without", beside)
}

// failsBeforeAnythingIsStored has the first writes fail, each of them twice.
func failsBeforeAnythingIsStored(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{byNode: nodeOf, "image": imageOf})
	writes := map[string]func() error{
		"Add":     func() error { return c.add(bad("e", 1, "node-1")) },
		"Update":  func() error { return c.update(bad("f", 1, "node-1")) },
		"Replace": func() error { return c.replace(pod("a", 1, "node-1"), bad("c", 1, "node-1"), pod("d", 1, "node-1")) },
	}
	for method, write := range writes {
		for range 2 {
			err := write()
			t.Require(errors.Is(err, errImage), "An IndexFunc failed with an error of its own. %s has to return that error, wrapped or as it is, and returned %s.", method, conform.Said(err))
			failed := "Nothing was stored, and " + method + " has failed: "
			c.holdsAfter(t, failed)
			c.listsAfter(t, failed, byNode)
			c.listsAfter(t, failed, "image")
		}
	}
	indexFails(t, c, "Nothing is stored", nil)
	err := c.delete(bad("g", 1, ""))
	t.Require(err == nil, "Nothing is stored, and Delete returned %s. It returns nil, and needs no values of the object that it is given.", conform.Said(err))
}

// failsForOneOfSome has the new index fail for one of four stored objects, whichever it is, and then Replace
// for one of a list.
func failsForOneOfSome(t *conform.T, s Subject) {
	for odd := range 4 {
		c := start(t, s, map[string]IndexFunc{byNode: nodeOf})
		var stored, next []*kit.Pod
		for i := range 4 {
			stored, next = append(stored, pod(strconv.Itoa(i), 1, "node-1")), append(next, pod(strconv.Itoa(i), 2, "node-2"))
		}
		stored[odd].Spec.Image, next[odd].Spec.Image = "bad", "bad"
		must(t, c.replace(stored...))
		refused := func(method string, err error) {
			t.Require(errors.Is(err, errImage), "%s has to ask an IndexFunc about four objects. It fails for one, the one named %d, with an error of its own, and %s returned %s.", method, odd, method, conform.Said(err))
			failed := method + " had failed for one of four objects: "
			c.holdsAfter(t, failed, stored...)
			c.listsAfter(t, failed, byNode, "node-1")
		}
		refused("AddIndexers", c.addIndexers(map[string]IndexFunc{"image": imageOf}))
		c.lists(t, "image")
		isFree(t, "image", c.addIndexers(map[string]IndexFunc{"image": func(p *kit.Pod) ([]string, error) { return nil, nil }}))
		c.lists(t, "image")
		must(t, c.addIndexers(map[string]IndexFunc{"may fail": func(p *kit.Pod) ([]string, error) {
			if p.ResourceVersion == "1" {
				return nil, nil
			}
			return imageOf(p)
		}}))
		refused("Replace", c.replace(next...))
		c.lists(t, "may fail")
	}
}

// needsNoneButTheLast replaces by a list in which a later object with the same key makes up for one that fails.
func needsNoneButTheLast(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{byNode: nodeOf, "image": imageOf})
	last := pod("a", 2, "node-2")
	err := c.replace(bad("a", 1, "node-1"), pod("b", 1, "node-1"), bad("a", 1, "node-1"), last)
	t.Require(err == nil, "Replace was given three objects with the key default/a, and an IndexFunc fails for the first two. Only the last one counts, for which none fails, and Replace returned %s.", conform.Said(err))
	c.expect(t, byNode, "node-2", last)
	c.lists(t, byNode, "node-1", "node-2")
}

// scribble writes to every slice that c returns, and past its end.
func scribble(t *conform.T, c client) {
	found, err := c.byIndex(byTag, "x")
	must(t, err)
	shared, err := c.index(byTag, pod("given", 9, "", "x", "y"))
	must(t, err)
	one, err := c.index(byTag, pod("given", 9, "", "x"))
	must(t, err)
	for _, list := range [][]*kit.Pod{found, shared, one, c.list()} {
		list = list[:cap(list)]
		for i := range list {
			list[i] = pod("scribbled", 99, "node-9", "scribbled")
		}
	}
	keys, err := c.indexKeys(byTag, "x")
	must(t, err)
	for _, list := range [][]string{keys, c.listKeys(), c.values(byTag)} {
		list = list[:cap(list)]
		for i := range list {
			list[i] = "scribbled"
		}
	}
}
