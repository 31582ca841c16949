package indexertest

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"
	"weak"

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
			"may be a part of the object, so the indexer does not write to it, nor behind its end.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), standard())
			steps := [][]string{{"x"}, {"x", "y"}, {"y", "x"}, {"y"}, {"y", "z"}, {"x", "z"}, {}, {"z", "x", "y"}, {"z"}, {"x"}, nil, {"x", "x"}, {"x", "y"}, {"y", "y"}, {}, {"x", "y", "x"}, {"z", "y", "x"}, {"z", "w", "x"}, {"y", "y", "z"}, {"x"}}
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
			sharesAnyString(t, start(t, open(), standard()))
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
		Look:   []string{"Indexer.Update", "Indexer.Delete"},
		Rule:   "The memory of an index depends on what is stored now, not on how many different values have come and gone.",
		Why:    "An index over short-lived namespaces with unique names kept an empty set for each of them, and the memory of the process grew until it ran out.",
		Hint: []string{
			"The index is by UID, and every object has its own. How long is your map after a million objects, one after the other?",
			"When a set becomes empty, delete its entry from the map of the index. Hiding it from ListIndexFuncValues does not free it.",
		},
		Source: "kubernetes#84959",
		Alone:  true,
		Contract: []string{
			"A value without an object does not exist: it is not listed, and the indexer keeps nothing of it",
			"Nor does it keep an object that is not stored any longer.",
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
			neighboursThatGo(t, open())
		},
	},
	{
		Name:   "look-ups-do-not-search",
		Points: 5,
		Func:   "Indexer.ByIndex",
		Look:   []string{"Indexer.ByIndex", "Indexer.Index", "Indexer.GetByKey"},
		Rule:   "ByIndex, IndexKeys and ListIndexFuncValues call no IndexFunc, Index only for the object it is given, and a write only for the object it writes and the one that was there. No look-up, by key or by index, goes through all objects.",
		Why:    "An index that is computed at the look-up is a search through everything. An index exists to avoid that search.",
		Hint: []string{
			"When should an index cost something: at a write, or at a look-up?",
			"Keep for each index a map from values to the objects under them, and keep it exact at every write.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: updateSingleIndex, getKeysFromIndex (nothing else calls an IndexFunc)",
		Contract: []string{
			"A write calls an IndexFunc only for objects that it writes and for stored ones that it replaces or removes; AddIndexers calls the new ones for all stored objects, and Index calls its own for the object it is given.",
			"New, ByIndex, IndexKeys and ListIndexFuncValues call none.",
			"Get, GetByKey, Index, ByIndex and IndexKeys cost about as much as what they find, and ListIndexFuncValues about as much as there are values in all indices, however many objects are stored.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { asksNobody(t, open()) })
			costsItsAnswer(t, open())
		},
	},
}

// asksNobody has an IndexFunc that writes down what it is called for.
func asksNobody(t *conform.T, s Subject) {
	asked := &names{}
	c := start(t, s, map[string]IndexFunc{byNode: func(p *kit.Pod) ([]string, error) {
		if p == nil {
			asked.add("nil")
			return nil, nil
		}
		asked.add(p.Name)
		return nodeOf(p)
	}})
	t.Require(len(asked.take()) == 0, "New called an IndexFunc, and there is no object yet.")
	must(t, c.delete(pod("unknown", 0, "node-1")))
	t.Require(len(asked.take()) == 0, "Delete was given an object whose key is not stored, and called an IndexFunc. It removes nothing, so it needs no values.")
	must(t, c.replace(pod("a", 1, "node-1"), pod("b", 2, "node-1"), pod("d", 3, "node-2")))
	asked.take()
	c.expect(t, byNode, "node-1", pod("a", 1, "node-1"), pod("b", 2, "node-1"))
	c.lists(t, byNode, "node-1", "node-2")
	c.holds(t, pod("a", 1, "node-1"), pod("b", 2, "node-1"), pod("d", 3, "node-2"))
	names := asked.take()
	t.Require(len(names) == 0, "ByIndex, IndexKeys, ListIndexFuncValues, List and GetByKey called an IndexFunc for the objects %v: the index has to know already.", names)
	_, err := c.index(byNode, pod("given", 4, "node-1"))
	must(t, err)
	must(t, c.update(pod("given", 5, "node-1")))
	must(t, c.update(pod("given", 6, "node-2")))
	must(t, c.delete(pod("given", 7, "")))
	names = slices.Compact(asked.take())
	t.Require(slices.Equal(names, []string{"given"}), "Index, Update and Delete were called for the object \"given\" alone, and called the IndexFunc for %v.", names)
}

// costsItsAnswer compares the price of each look-up among few objects with that among many. It finds one
// object or one value, whatever is stored.
func costsItsAnswer(t *conform.T, s Subject) {
	fewOf, manyOf := lookUpsOfOne(t, s, 8, 8), lookUpsOfOne(t, s, 1<<14, 1<<12)
	for i, many := range manyOf {
		few := fewOf[i]
		cheap, dear := few.price(t), many.price(t)
		t.Require(dear < 50*cheap, "%s, which returns %s, took %d times as long with %d objects stored as with %d: it goes through all of them, or makes room for all.", many.call, many.finds, dear/cheap, many.stored, few.stored)
	}
}

// lookUpOfOne is a look-up that returns one object, key or value: how many it has returned, and the room of the slice.
type lookUpOfOne struct {
	call, finds string
	stored      int
	look        func() (n, room int)
}

// lookUpsOfOne ask an index by name about one of many objects, and one by namespace about its only value, under
// which all objects are. These are fewer: one large set may be slow to build.
func lookUpsOfOne(t *conform.T, s Subject, names, inOne int) []lookUpOfOne {
	var pods []*kit.Pod
	for i := range names {
		pods = append(pods, pod(strconv.Itoa(i), 1, ""))
	}
	byName := start(t, s, map[string]IndexFunc{"name": func(p *kit.Pod) ([]string, error) { return []string{p.Name}, nil }}).x
	must(t, byName.Replace(pods, "1"))
	by := start(t, s, map[string]IndexFunc{byNamespace: namespaceOf}).x
	must(t, by.Replace(pods[:inOne], "1"))
	one := func(_ *kit.Pod, ok bool) (n, room int) {
		if !ok {
			return 0, 0
		}
		return 1, 1
	}
	return []lookUpOfOne{
		{"Get(the pod 5)", "one object", names, func() (n, room int) { return one(byName.Get(pods[5])) }},
		{"GetByKey(default/5)", "one object", names, func() (n, room int) { return one(byName.GetByKey("default/5")) }},
		{"ByIndex(name, 5)", "one object", names, func() (n, room int) {
			found, _ := byName.ByIndex("name", "5")
			return len(found), cap(found)
		}},
		{"IndexKeys(name, 5)", "one key", names, func() (n, room int) {
			keys, _ := byName.IndexKeys("name", "5")
			return len(keys), cap(keys)
		}},
		{"Index(name, the pod 5)", "one object", names, func() (n, room int) {
			found, _ := byName.Index("name", pods[5])
			return len(found), cap(found)
		}},
		{"ListIndexFuncValues(namespace)", "one value", inOne, func() (n, room int) {
			values := by.ListIndexFuncValues(byNamespace)
			return len(values), cap(values)
		}},
	}
}

// price is what fifty calls take when nothing comes between.
func (l lookUpOfOne) price(t *conform.T) time.Duration {
	call := t.Call("%s, again and again, with %d pods stored", l.call, l.stored)
	n, room := l.look()
	t.Require(n == 1, "%d pods are stored. %s has to return %s, and returned %d.", l.stored, l.call, l.finds, n)
	t.Require(room < 1<<10, "%d pods are stored. %s has to return %s, and returned a slice with room for %d: that costs what all objects cost.", l.stored, l.call, l.finds, room)
	best := time.Hour
	for range 20 {
		began := time.Now()
		for range 50 {
			l.look()
		}
		best = min(best, time.Since(began))
	}
	call.Returned("")
	return best
}

// writesToNoObject has an IndexFunc that returns a slice of the object itself.
func writesToNoObject(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{byTag: func(p *kit.Pod) ([]string, error) { return p.Spec.Tolerations[:len(p.Spec.Tolerations)-2], nil }})
	states := [][]string{{"z", "x", "y", "-", "-"}, {"z", "x", "y", "-", "-"}, {"z", "y", "y", "x", "z", "-", "-"}, {"w", "w", "-", "-"}, {"z", "x", "y", "-", "-"}}
	var stored []*kit.Pod
	for version, tags := range states {
		p := pod("a", version, "", slices.Clone(tags)...)
		must(t, c.update(p))
		_, err := c.index(byTag, p)
		must(t, err)
		stored = append(stored, p)
	}
	must(t, c.replace(stored[2]))
	must(t, c.delete(stored[2]))
	for i, p := range stored {
		t.Require(slices.Equal(p.Spec.Tolerations, states[i]), "An IndexFunc returns all but the last two of a slice that is a part of the object, which all readers share. For %v it was, and the indexer has written to it: now it is %v.", states[i], p.Spec.Tolerations)
	}
}

// leavesMetadataAlone has an object with much metadata, and others with none, take each other's place.
func leavesMetadataAlone(t *conform.T, c client) {
	bare := pod("a", 0, "node-1")
	bare.ResourceVersion = ""
	given := []*kit.Pod{leaving("a", 1, "node-1"), bare, leaving("a", 2, "node-2"), clusterWide(pod("n", 0, ""))}
	var before []*kit.Pod
	for _, p := range given {
		before = append(before, p.DeepCopy())
		must(t, c.update(p))
	}
	must(t, c.replace(bare, given[3]))
	must(t, c.replace(given[2], given[3]))
	must(t, c.delete(bare))
	for i, p := range given {
		t.Require(reflect.DeepEqual(p, before[i]), "Nobody may change an object that others share, and the indexer has: its metadata were %+v, and are %+v.", before[i].ObjectMeta, p.ObjectMeta)
	}
}

// valuesChangeALittle updates an object from each of some values to the next, which differs in little from it.
func valuesChangeALittle(t *conform.T, c client) {
	for version, value := range slices.Concat(nearlyEqual, []string{"\xff", "xx", "Xx", "X", "x"}) {
		p := pod("a", version, "", value)
		must(t, c.update(p))
		c.lists(t, byTag, value)
		c.expect(t, byTag, value, p)
	}
	for _, length := range []int{63, 253, 1 << 12} {
		same := strings.Repeat("v", length)
		call := t.Call("Update(default/a), first with one tag of %d bytes, and then with another that differs in the last byte", length+1)
		must(t, c.x.Update(pod("a", 1, "", same+"1")))
		must(t, c.x.Update(pod("a", 2, "", same+"2")))
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
		c.expect(t, short, "y"+between+"z", a)
		c.expect(t, long, "z", b)
		c.lists(t, short, "y"+between+"z")
		c.lists(t, long, "z")
	}
}

// names remembers names. It has a lock, because a subject may ask an IndexFunc from
// a goroutine of its own.
type names struct {
	mu   sync.Mutex // guards list
	list []string
}

func (n *names) add(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, name)
}

// take returns the names so far and forgets them.
func (n *names) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.list
	n.list = nil
	return list
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
	c.expect(t, byNode, "node-1")
	c.expect(t, byNode, "node-2", moved)
	c.lists(t, byTag, "y", "z")
	t.Note("the next one has the values of the stored one, too, and another image")
	must(t, c.update(version("v2", "node-2", "z", "y")))
	under, err := c.byIndex(byNode, "node-2")
	must(t, err)
	shared, err := c.index(byTag, moved)
	must(t, err)
	for method, found := range map[string][]*kit.Pod{"List": c.list(), "ByIndex": under, "Index": shared} {
		t.Require(len(found) == 1 && found[0].Spec.Image == "v2", "An update has changed the image of the only object from v1 to v2, and nothing else. %s did not return the new object.", method)
	}
}

// manyValues has an object with more values than most have, and then with every other one of them.
func manyValues(t *conform.T, c client) {
	var all, some []string
	for i := range 300 {
		all = append(all, "value-"+strconv.Itoa(i))
		if i%2 == 0 {
			some = append(some, all[i])
		}
	}
	for version, tags := range [][]string{all, some, all} {
		call := t.Call("Update(default/a@%d, with %d tags)", version, len(tags))
		must(t, c.x.Update(pod("a", version, "", tags...)))
		call.Returned("")
		listed := c.x.ListIndexFuncValues(byTag)
		t.Require(slices.Equal(sorted(listed), sorted(tags)), "One object is stored, with %d values in the index \"tag\", and ListIndexFuncValues returned %d values.", len(tags), len(listed))
		for _, tag := range all {
			found, err := c.x.ByIndex(byTag, tag)
			must(t, err)
			t.Require((len(found) == 1) == slices.Contains(tags, tag), "The only object has %d values. ByIndex of %s returned %d objects. That it has this value is %t.", len(tags), tag, len(found), slices.Contains(tags, tag))
		}
	}
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

// severalValuesEach has forty objects come and go that have two values each, and then one object that is
// updated to each of them in turn.
func severalValuesEach(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{"uid": func(p *kit.Pod) ([]string, error) { return []string{p.UID, p.UID[1:]}, nil }})
	forgets(t, "Add of 40 pods, each with two values of its own, then Delete of all of them, and Add of one more", func(pods []*kit.Pod) {
		addAndDelete(t, c, pods)
		must(t, c.x.Add(uidPod("last")))
	})
	forgets(t, "Update of one pod to 40 states, each with two values of its own, and then to one more", func(pods []*kit.Pod) {
		for _, p := range pods {
			p.Name = "last"
			must(t, c.x.Update(p))
		}
		must(t, c.x.Update(uidPod("last")))
	})
	holdsOne(t, c)
}

func uidPod(name string) *kit.Pod {
	p := pod(name, 1, "")
	p.UID = "the-uid-of-" + name
	return p
}

// fewLongValues has forty values come and go. They are too few to be a matter of size: an index that
// tidies up now and then keeps them.
func fewLongValues(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{"uid": uidOf})
	forgets(t, "Add of 40 pods, each with a UID of its own, then Delete of all of them, and Add of one more", func(pods []*kit.Pod) {
		addAndDelete(t, c, pods)
		must(t, c.x.Add(pod("last", 1, "")))
	})
	holdsOne(t, c)
}

// fewLongLists replaces a list whose objects have forty values by one whose object has another.
func fewLongLists(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{"uid": uidOf})
	forgets(t, "Replace(40 pods, each with a UID of its own), and then Replace(1 pod)", func(pods []*kit.Pod) {
		must(t, c.x.Replace(pods, "1"))
		must(t, c.x.Replace([]*kit.Pod{pod("last", 1, "")}, "2"))
	})
	holdsOne(t, c)
}

// neighboursThatGo has objects come and go under a value that one other keeps all the time. They are
// looked for afterwards, and so is the room that they took.
func neighboursThatGo(t *conform.T, s Subject) {
	const many = 1 << 14
	c := start(t, s, map[string]IndexFunc{byNamespace: namespaceOf})
	must(t, c.add(pod("stays", 1, "")))
	forgets(t, "Add and Delete of 40 pods, all in the namespace of the one that stays", func(pods []*kit.Pod) { addAndDelete(t, c, pods) })
	before := probe.Heap()
	call := t.Call("Add and Delete of %d pods, one after the other, in the namespace of the one that stays", many)
	for i := range many {
		p := pod("a-pod-that-comes-and-goes-"+strconv.Itoa(i), 1, "")
		must(t, c.x.Add(p))
		must(t, c.x.Delete(p))
	}
	call.Returned("")
	grown := probe.Growth(before, 1<<20)
	t.Require(grown < int64(1<<20), "One object is stored, after %d others have come and gone under the same value, and the heap has grown by %d KiB, where 1024 KiB may be: an index keeps something of objects that are gone.", many, grown>>10)
	holdsOne(t, c)
}

// forgets has forty pods come and go, and requires that the indexer keeps next to none of them.
func forgets(t *conform.T, what string, comeAndGo func(pods []*kit.Pod)) {
	call := t.Call("%s", what)
	kept := gone(comeAndGo)
	call.Returned("")
	alive := probe.Alive(kept)
	t.Require(alive <= 2, "40 pods came and went: %s. The indexer still has %d of them, or of the values under which they were, in memory.", what, alive)
}

// gone has pods come and go, and points at the first byte of the UID of each.
//
//go:noinline
func gone(comeAndGo func(pods []*kit.Pod)) []weak.Pointer[byte] {
	var pods []*kit.Pod
	var uids []weak.Pointer[byte]
	for i := range 40 {
		p := pod(strconv.Itoa(i), 1, "")
		p.UID = "a-uid-that-has-memory-of-its-own-" + strconv.Itoa(i)
		uids = append(uids, weak.Make(unsafe.StringData(p.UID)))
		pods = append(pods, p)
	}
	comeAndGo(pods)
	return uids
}

func addAndDelete(t *conform.T, c client, pods []*kit.Pod) {
	for _, p := range pods {
		must(t, c.x.Add(p))
	}
	for _, p := range pods {
		must(t, c.x.Delete(p))
	}
}

// holdsOne requires that one pod is left.
func holdsOne(t *conform.T, c client) {
	stored := c.list()
	t.Require(len(stored) == 1, "One pod was added and not deleted again, and List returned %d.", len(stored))
}

func uidOf(p *kit.Pod) ([]string, error) { return []string{p.UID}, nil }
