package indexertest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(exact, adding, concurrent, order, models)

// exact is the part of the suite about indices that say neither too much nor too little.
var exact = []conform.Case[Subject]{
	{
		Name:   "updates-look-at-all-values",
		Points: 6,
		Func:   "Indexer.Update",
		Look:   []string{"Indexer.Update", "Indexer.Index", "Indexer.Replace"},
		Rule:   "An update removes the object from every value that it no longer has and adds it to every new one, however many there are.",
		Why:    "People index pods by each of their IPs, owners and volumes. A short cut that is right for one value is wrong for two.",
		Hint: []string{
			"What do you compare to see that nothing has changed?",
			"Comparing the first values is not enough: [a] and [a b] differ. Comparing the numbers of values is not enough either.",
			"slices.Equal compares all of them. Or leave the short cut out at first.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: updateSingleIndex (the short cut needs exactly one value on both sides); client-go tools/cache/thread_safe_store_test.go: TestThreadSafeStoreIndexingFunctionsWithMultipleValues",
		Contract: []string{
			"At every moment each index holds exactly the stored objects, each under the values of the object as it is stored now.",
			"under none, one or many. The order of the values means nothing, and a value that it names twice counts once",
			"Names and values may be any strings, the empty one too, and two that differ in one byte are different.",
			"nobody may change a stored object, and the indexer changes none that it is given.",
			"may be a part of the object, so the indexer does not write to it, nor to the room behind its end, as append would.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), standard())
			steps := [][]string{{"x"}, {"x", "y"}, {"y", "x"}, {"y"}, {"y", "z"}, {"x", "z"}, {}, {"z", "x", "y"}, {"z"}, {"x"}, nil, {"x", "x"}, {"x", "y"}, {"y", "y"}, {}, {"x", "y", "x"}, {"z", "y", "x"}, {"z", "w", "x"}, {"y", "y", "z"}, {"x"}, {"x", "x"}, {"z", "z"}, {"x", "x", "y"}, {"y", "z", "z"}, {"y"}, {"y", "w", "w"}}
			for version, tags := range steps {
				p := pod("a", version, "node-1", tags...)
				must(t, c.update(p))
				for _, tag := range []string{"w", "x", "y", "z"} {
					var want []*kit.Pod
					if slices.Contains(tags, tag) {
						want = append(want, p)
					}
					c.expect(t, byTag, tag, want...)
				}
			}
			valuesAreNotJoined(t, start(t, open(), standard()))
			valuesChangeALittle(t, start(t, open(), standard()))
			metadataStay(t, start(t, open(), standard()))
			manyValues(t, start(t, open(), standard()))
			oneOfManyValues(t, start(t, open(), standard()))
			writesToNoObject(t, open())
			leavesMetadataAlone(t, start(t, open(), standard()))
		},
	},
	{
		Name:   "each-object-once",
		Points: 5,
		Func:   "Indexer.Index",
		Rule:   "Index returns every object that shares a value with the given one, each once, also when an IndexFunc names a value twice and when the given object is not stored.",
		Why:    "A pod that matches a service by two values is one endpoint, not two.",
		Hint: []string{
			"An object shares two values with the given one. How often is it in your result?",
			"Collect in a set first, then make a slice of it.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: getKeysFromIndex (Need to de-dupe the return list)",
		Contract: []string{
			"Index returns the stored objects that share a value with obj in the index of that name, each of them once. The values are those of obj as it is given",
			"a value that it names twice counts once",
			"Names and values may be any strings, the empty one too, and two that differ in one byte are different.",
			"it need not be stored, and what is stored under its key may be another state of it. If obj has no values, no object shares one.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), standard())
			a, b := pod("a", 1, "node-1", "x", "y"), pod("b", 2, "node-1", "y", "y")
			d := pod("d", 3, "node-2", "z")
			for _, p := range []*kit.Pod{a, b, d} {
				must(t, c.add(p))
			}
			c.expect(t, byTag, "y", a, b)
			nothing, err := start(t, open(), standard()).index(byTag, a)
			t.Require(err == nil && len(nothing) == 0, "Nothing is stored, and the index %q exists. Index(%q, %s) has to return no object and no error, and returned %v, %v.", byTag, byTag, show(a), showAll(nothing), err)
			finds := func(name string, given *kit.Pod, want ...*kit.Pod) {
				got, err := c.index(name, given)
				must(t, err)
				same(t, showAll(want), showAll(got), "Index(%q, %s)", name, show(given))
			}
			finds(byTag, a, a, b)
			finds(byTag, pod("not stored", 9, "", "x", "y", "z"), a, b, d)
			finds(byTag, pod("a", 9, "", "z"), d) // the given object's values, not the stored one's
			finds(byTag, pod("a", 9, "", "x", "x"), a)
			finds(byTag, pod("a", 9, ""))
			finds(byTag, pod("a", 9, "", "unknown"))
			finds(byTag, pod("not stored", 9, "", "unknown", "x"), a)
			finds(byTag, pod("not stored", 9, "", "y", "z"), a, b, d)
			t.Note("looks whether the sets of the index are what they were before those calls of Index")
			c.expect(t, byTag, "x", a)
			c.expect(t, byTag, "y", a, b)
			c.expect(t, byTag, "z", d)
			finds(byNode, pod("not stored", 9, "node-1"), a, b)
			namesake := pod("a", 4, "node-1", "y")
			namesake.Namespace = "other"
			must(t, c.add(namesake))
			finds(byTag, pod("not stored", 9, "", "x", "y"), a, b, namesake)
			must(t, c.delete(namesake))
			must(t, c.delete(b)) // which had its value twice
			finds(byTag, pod("not stored", 9, "", "y", "z"), a, d)
			sharesAllValues(t, start(t, open(), standard()))
			sharesValuesInAnyOrder(t, start(t, open(), standard()))
			sharesAnyString(t, start(t, open(), standard()))
			sharesOneValueTwice(t, open())
			givenLooksLikeTheStored(t, open())
		},
	},
	{
		Name:   "values-without-objects-vanish",
		Points: 5,
		Func:   "Indexer.ListIndexFuncValues",
		Look:   []string{"Indexer.Update", "Indexer.Delete"},
		Rule:   "ListIndexFuncValues returns each value that some object has, once. A value is gone with its last object.",
		Why:    "A controller that goes through the values of an index, say the nodes that have pods, must not meet every node that ever existed.",
		Hint: []string{
			"The last object leaves a set. What does your map contain then?",
			"An empty set is still an entry. Delete it in updates too, not only in Delete.",
		},
		Source: "kubernetes#84959; client-go tools/cache/thread_safe_store.go: deleteKeyFromIndex; client-go tools/cache/thread_safe_store_test.go: TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex",
		Contract: []string{
			"A value without an object does not exist: it is not listed, and the indexer keeps nothing of it",
			"ListIndexFuncValues returns the values under which the index of that name has objects.",
			"each under the values of the object as it is stored now",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), standard())
			c.lists(t, byNode)
			must(t, c.add(pod("a", 1, "node-1", "x", "y")))
			must(t, c.add(pod("b", 2, "node-2", "y", "y")))
			c.lists(t, byNode, "node-1", "node-2")
			c.lists(t, byTag, "x", "y")
			must(t, c.update(pod("a", 3, "node-2", "z")))
			c.lists(t, byNode, "node-2")
			c.lists(t, byTag, "y", "z")
			must(t, c.delete(pod("b", 4, "")))
			c.lists(t, byNode, "node-2")
			c.lists(t, byTag, "z")
			must(t, c.delete(pod("a", 5, "")))
			c.lists(t, byNode)
			c.lists(t, byTag)
			c.lists(t, byNamespace)
			namesDoNotMix(t, open())
		},
	},
	{
		Name:   "past-values-cost-nothing",
		Points: 5,
		Func:   "Indexer.Update",
		Look:   []string{"Indexer.Update", "Indexer.Delete", "Indexer.Replace", "Indexer.Index"},
		Rule:   "The memory of an indexer depends on what is stored now, not on how many values and objects have come and gone. Not even the last one is kept.",
		Why:    "An index over short-lived namespaces with unique names kept an empty set for each of them, and the memory of the process grew until it ran out.",
		Hint: []string{
			"The index is by UID, and every object has its own. How long is your map after a million objects, one after the other?",
			"When a set becomes empty, delete its entry from the map of the index. Hiding it from ListIndexFuncValues does not free it.",
		},
		Source: "kubernetes#84959",
		Alone:  true,
		Contract: []string{
			"A value without an object does not exist: it is not listed, and the indexer keeps nothing of it",
			"Nor does it keep any object that is not stored now: no deleted one, no older state, none of a write that failed, nor a slice inside one, such as an IndexFunc may have returned.",
			"At every moment each index holds exactly the stored objects",
		},
		Check: func(t *conform.T, open func() Subject) {
			// Alone and outside a bubble: it looks at the whole heap. An empty set with
			// its value takes a hundred bytes at least: 6 MiB and more, if they are kept.
			const objects = 1 << 15
			c := start(t, open(), map[string]IndexFunc{"uid": uidOf})
			before := probe.Heap()
			call := t.Call("Add of %d pods of one name, each with a UID of its own; every other one deleted in between", objects)
			for i := range objects {
				p := pod("a", i, "")
				p.UID = "0b1c7f52-6c1a-4f0e-8a52-" + strconv.Itoa(i)
				must(t, c.x.Add(p))
				if i%2 == 0 {
					must(t, c.x.Delete(p))
				}
			}
			call.Returned("")
			grown := probe.Growth(before, 2<<20)
			t.Require(grown < int64(2<<20), "One object is stored, after %d different values have come and gone, and the heap has grown by %d KiB, where 2048 KiB may be: the index keeps something of values that are gone.", objects, grown>>10)
			holdsOne(t, c)
			fewLongValues(t, open())
			severalValuesEach(t, open())
			fewLongLists(t, open())
			valuesAskedFor(t, open())
			neighboursThatGo(t, open())
			keepsNotTheLast(t, open(), ways())
			keepsNotTheLastValue(t, open())
		},
	},
	{
		Name:   "look-ups-do-not-search",
		Points: 5,
		Func:   "Indexer.ByIndex",
		Look:   conform.Anywhere,
		Rule:   "Only writes, Index and AddIndexers call an IndexFunc: a write for the object it writes and the one that was there, not for one that a later one in the same list replaces, Index for the object it is given, AddIndexers the new ones for what is stored. No look-up, by key or by index, goes through all objects, not even one that finds nothing.",
		Why:    "An index that is computed at the look-up is a search through everything. An index exists to avoid that search.",
		Hint: []string{
			"When should an index cost something: at a write, or at a look-up?",
			"Keep for each index a map from values to the objects under them, and keep it exact at every write.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: updateSingleIndex, getKeysFromIndex (nothing else calls an IndexFunc)",
		Contract: []string{
			"A write calls an IndexFunc only for objects that it writes and for stored ones that it replaces or removes.",
			"AddIndexers calls only the new ones and only for stored objects.",
			"Index calls its own, also where nothing is stored, and only for the object that it is given.",
			"New and all other methods call none.",
			"nobody may change a stored object, and the indexer changes none that it is given.",
			"Of several objects with the same key the last one counts, as if the others were not in list.",
			"Get, GetByKey, Index, ByIndex and IndexKeys cost about as much as what they find, however many objects are stored: a look-up that finds nothing costs next to nothing.",
			"Index may also cost as much as obj has values, and ListIndexFuncValues as much as there are values in all indices.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { asksNobody(t, open()) })
			costsItsAnswer(t, open())
			costsWhatItFinds(t, open())
		},
	},
}

// writesToNoObject has an IndexFunc that returns a slice of the object itself.
func writesToNoObject(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{byTag: tagsButTwo})
	states := [][]string{{"z", "x", "y", "-", "-"}, {"z", "x", "y", "-", "-"}, {"z", "y", "y", "x", "z", "-", "-"}, {"w", "w", "-", "-"}, {"z", "x", "y", "-", "-"}, backwards(40)}
	var stored []*kit.Pod
	untouched := func(method string) {
		for i, p := range stored {
			t.Require(slices.Equal(p.Spec.Tolerations, states[i]), "An IndexFunc returns all but the last two of a slice that is a part of the object, which all readers share. It was %q, and %s has written to it: now it is %q.", states[i], method, p.Spec.Tolerations)
		}
	}
	for version, tags := range states {
		p := pod("a", version, "", slices.Clone(tags)...)
		stored = append(stored, p)
		must(t, c.update(p))
		untouched("Update")
		must(t, c.add(p))
		untouched("Add")
		_, err := c.index(byTag, p)
		must(t, err)
		untouched("Index")
	}
	for i, p := range stored {
		must(t, c.replace(p))
		untouched("Replace")
		must(t, c.addIndexers(map[string]IndexFunc{fmt.Sprintf("new-%d", i): tagsButTwo}))
		untouched("AddIndexers")
		must(t, c.delete(p))
		untouched("Delete")
	}
}

// backwards is n values, the greatest first, and two more.
func backwards(n int) []string {
	var values []string
	for i := range n {
		values = append(values, strconv.Itoa(100+n-i))
	}
	return append(values, "-", "-")
}

func tagsButTwo(p *kit.Pod) ([]string, error) {
	return p.Spec.Tolerations[:len(p.Spec.Tolerations)-2], nil
}

// leavesMetadataAlone has an object with much metadata, and others with none, take each other's place.
func leavesMetadataAlone(t *conform.T, c client) {
	bare := pod("a", 0, "node-1")
	bare.ResourceVersion = ""
	given := []*kit.Pod{leaving("a", 1, "node-1"), bare, leaving("a", 2, "node-2"), clusterWide(pod("n", 0, ""))}
	var before []*kit.Pod
	for _, p := range given {
		before = append(before, p.DeepCopy())
	}
	untouched := func(method string) {
		for i, p := range given {
			t.Same(before[i], p, "The indexer changes no object that it is given, and %s has changed one", method)
			t.Require(reflect.DeepEqual(before[i], p), "The indexer changes no object that it is given. One was %+v, and %s has made it %+v.", before[i], method, p)
		}
	}
	for _, p := range given {
		must(t, c.update(p))
		untouched("Update")
	}
	for _, p := range given {
		must(t, c.add(p))
		untouched("Add")
		_, err := c.index(byNode, p)
		must(t, err)
		untouched("Index")
	}
	for _, list := range [][]*kit.Pod{{bare, given[3]}, given[2:]} {
		must(t, c.replace(list...))
		untouched("Replace")
	}
	must(t, c.delete(bare))
	untouched("Delete")
}

// valuesChangeALittle updates an object from each of some values to the next, which differs in little from it.
func valuesChangeALittle(t *conform.T, c client) {
	for version, value := range slices.Concat(nearlyEqual, []string{"\xff", "xx", "Xx", "X", "x"}) {
		p := pod("a", version, "", value)
		must(t, c.update(p))
		c.lists(t, byTag, value)
		c.expect(t, byTag, value, p)
	}
	for i, length := range []int{63, 253, 1 << 12} {
		same := strings.Repeat("v", length)
		call := t.Call("Update(default/a), first with one tag of %d bytes, and then with another that differs in the last byte", length+1)
		must(t, c.x.Update(pod("a", 100+i, "", same+"1")))
		must(t, c.x.Update(pod("a", 200+i, "", same+"2")))
		old, err := c.x.ByIndex(byTag, same+"1")
		must(t, err)
		now, err := c.x.ByIndex(byTag, same+"2")
		must(t, err)
		call.Returned("")
		t.Require(len(old) == 0 && len(now) == 1, "The only object had a value of %d bytes, and now has another that differs in the last byte. ByIndex returned %d objects under the first and %d under the second.", length+1, len(old), len(now))
		t.Require(slices.Equal(c.x.ListIndexFuncValues(byTag), []string{same + "2"}), "The only value has %d bytes, and ListIndexFuncValues returned something else.", length+1)
	}
}

// valuesAreNotJoined updates an object from two values to one that is both of them, put one behind
// the other, and back, and to two that give the same if they are put one behind the other.
func valuesAreNotJoined(t *conform.T, c client) {
	for version, between := range []string{"", ",", " ", "/", "|", ";", "\n", "\x00"} {
		both := "x" + between + "y"
		for _, tags := range [][]string{{"x", "y"}, {both}, {"x", "y"}, {both, "z"}, {"x", "y" + between + "z"}} {
			p := pod("a", version, "", tags...)
			must(t, c.update(p))
			for _, tag := range tags {
				c.expect(t, byTag, tag, p)
			}
			c.lists(t, byTag, tags...)
		}
	}
}

// namesDoNotMix has indices and values whose names, put one behind the other, are equal.
func namesDoNotMix(t *conform.T, s Subject) {
	for _, between := range []string{"", "/", ":", ",", " ", "\x00"} {
		long, short := "x"+between+"y", "x"
		is := func(name, value string) IndexFunc {
			return func(p *kit.Pod) ([]string, error) {
				if p.Name == name {
					return []string{value}, nil
				}
				return nil, nil
			}
		}
		c := start(t, s, map[string]IndexFunc{short: is("a", "y"+between+"z"), long: is("b", "z")})
		a, b := pod("a", 1, ""), pod("b", 2, "")
		must(t, c.add(a))
		must(t, c.add(b))
		after := fmt.Sprintf("The index %q has default/a under %q, and the index %q has default/b under \"z\": ", short, "y"+between+"z", long)
		c.expectAfter(t, after, short, "y"+between+"z", a)
		c.expectAfter(t, after, long, "z", b)
		c.listsAfter(t, after, short, "y"+between+"z")
		c.listsAfter(t, after, long, "z")
	}
}

// metadataStay updates an object to one with the same metadata: what an IndexFunc returns, and what a
// look-up has to return, may have changed all the same.
func metadataStay(t *conform.T, c client) {
	version := func(image, node string, tags ...string) *kit.Pod {
		p := pod("a", 7, node, tags...)
		p.UID, p.Generation, p.Labels = "0b1c7f52", 3, map[string]string{"app": "web"}
		p.Spec.Image = image
		return p
	}
	must(t, c.add(version("v1", "node-1", "x", "y")))
	t.Note("the next objects have the UID, the resource version @7, the generation and the labels of the stored one")
	moved := version("v1", "node-2", "z", "y")
	must(t, c.update(moved))
	after := "The stored and the new state have the same UID, resource version, generation and labels. Indices go by what an IndexFunc says of each state, not by these. After " + c.past.write + ": "
	c.expectAfter(t, after, byNode, "node-1")
	c.expectAfter(t, after, byNode, "node-2", moved)
	c.listsAfter(t, after, byTag, "y", "z")
	t.Note("the next one has the values of the stored one, too, and another image")
	must(t, c.update(version("v2", "node-2", "z", "y")))
	under, err := c.byIndex(byNode, "node-2")
	must(t, err)
	shared, err := c.index(byTag, pod("given", 1, "", "z"))
	must(t, err)
	for method, found := range map[string][]*kit.Pod{"List": c.list(), "ByIndex": under, "Index": shared} {
		images := []string{}
		for _, p := range found {
			images = append(images, p.Spec.Image)
		}
		t.Require(slices.Equal(images, []string{"v2"}), "An update has changed the image of the only object from v1 to v2, and nothing else. %s returned %d objects, with the images %v.", method, len(found), images)
	}
}

// manyValues has an object with more values than most have, and then with every other one of them.
func manyValues(t *conform.T, c client) {
	var all, some []string
	before := 0
	for i := range 300 {
		all = append(all, "value-"+strconv.Itoa(i))
		if i%2 == 0 {
			some = append(some, all[i])
		}
	}
	for version, tags := range [][]string{all, some, all, all[:1], all, all[7:8], all[:65], all[64:], all[:1]} {
		call := t.Call("Update(default/a@%d, with %d tags)", version, len(tags))
		must(t, c.x.Update(pod("a", version, "", tags...)))
		call.Returned("")
		listed := c.x.ListIndexFuncValues(byTag)
		after := fmt.Sprintf("The only object had %d values in the index \"tag\", and an update has given it %d. ", before, len(tags))
		before = len(tags)
		t.Require(slices.Equal(sorted(listed), sorted(tags)), "%sListIndexFuncValues has to return exactly these, and returned %d, %d of them right.", after, len(listed), common(listed, tags))
		for _, tag := range all {
			found, err := c.x.ByIndex(byTag, tag)
			must(t, err)
			t.Require((len(found) == 1) == slices.Contains(tags, tag), "%sByIndex of %s returned %d objects. That it has this value is %t.", after, tag, len(found), slices.Contains(tags, tag))
		}
	}
}

// common is how many strings of list are in other, too.
func common(list, other []string) int {
	n := 0
	for _, s := range list {
		if slices.Contains(other, s) {
			n++
		}
	}
	return n
}

// sharesAllValues has objects that share three values with the given one.
func sharesAllValues(t *conform.T, c client) {
	var pods []*kit.Pod
	for i := range 5 {
		pods = append(pods, pod(strconv.Itoa(i), 1, "", "x", "y", "z"))
		must(t, c.add(pods[i]))
	}
	got, err := c.index(byTag, pods[0])
	must(t, err)
	same(t, showAll(pods), showAll(got), "Index(%q, %s)", byTag, show(pods[0]))
}

// sharesValuesInAnyOrder has an object share the first and the last value of the given one, and another the one between.
func sharesValuesInAnyOrder(t *conform.T, c client) {
	p, q := pod("p", 1, "", "x", "z"), pod("q", 1, "", "y")
	must(t, c.add(p))
	must(t, c.add(q))
	for _, values := range [][]string{{"x", "y", "z"}, {"x", "z", "y"}, {"y", "x", "z"}, {"z", "y", "x"}, {"x", "y", "x", "y"}, {"y", "z", "y", "z"}} {
		given := pod("given", 1, "", values...)
		got, err := c.index(byTag, given)
		must(t, err)
		same(t, showAll([]*kit.Pod{p, q}), showAll(got), "Index(%q, %s)", byTag, show(given))
	}
}

// sharesOneValueTwice has an IndexFunc name the only value of an index twice, and then one of few.
func sharesOneValueTwice(t *conform.T, s Subject) {
	for _, others := range []string{"", "y", "yz"} {
		c := start(t, s, map[string]IndexFunc{byTag: tagsOf})
		a, twice := pod("a", 1, "", "x"), pod("twice", 1, "", "x", "x")
		must(t, c.add(a))
		for _, value := range strings.Split(others, "") {
			must(t, c.add(pod("with-"+value, 1, "", value)))
		}
		for _, want := range [][]*kit.Pod{{a}, {a, twice}} {
			got, err := c.index(byTag, twice)
			must(t, err)
			same(t, showAll(want), showAll(got), "An IndexFunc names the value \"x\" of %s twice. Index(%q, the same object)", show(twice), byTag)
			must(t, c.add(twice))
		}
	}
}

// sharesAnyString has values that differ in little, and objects without a value.
func sharesAnyString(t *conform.T, c client) {
	none, empty := pod("none", 1, ""), pod("empty", 2, "", "")
	lower, upper, spaced := pod("lower", 3, "", "x"), pod("upper", 4, "", "X"), pod("spaced", 5, "", " x")
	for _, p := range []*kit.Pod{none, empty, lower, upper, spaced} {
		must(t, c.add(p))
	}
	for _, p := range []*kit.Pod{empty, lower, upper, spaced} {
		got, err := c.index(byTag, p)
		must(t, err)
		same(t, showAll([]*kit.Pod{p}), showAll(got), "The only value of %s is %q. Index(%q, the same object)", show(p), p.Spec.Tolerations[0], byTag)
	}
	got, err := c.index(byTag, none)
	must(t, err)
	same(t, []string{}, showAll(got), "%s has no value. Index(%q, the same object)", show(none), byTag)
}
