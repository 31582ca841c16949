package indexertest

import (
	"fmt"
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "stores-by-key",
		Points: 5,
		Func:   "Indexer.Add",
		Look:   []string{"Indexer.Add", "Indexer.Get", "Indexer.GetByKey"},
		Rule:   "There is one object for each key, the one that was added or updated last. Get, GetByKey, List and ListKeys find it.",
		Why:    "The cache answers every read of a controller. If dozens of controllers asked the API server instead, it would do nothing else.",
		Hint: []string{
			"Which of the two is unique in a cluster: \"web\" or \"default/web\"?",
			"Use a map[string]T by kit.Key. Add and Update do the same.",
		},
		Source: "client-go tools/cache/store.go: Store; client-go tools/cache/thread_safe_store.go: Add, Update, Get",
		Contract: []string{
			"Indexer keeps objects by their key (that of kit.Key)",
			"Add stores obj, and replaces the object with the same key if there is one.",
			"GetByKey returns the stored object with that key, or the zero value and false.",
			"an indexer keeps no goroutine running: one that a call starts ends soon after that call",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), nil)
			c.holds(t)
			a, b := pod("a", 1, ""), pod("b", 2, "")
			elsewhere := pod("a", 3, "")
			elsewhere.Namespace = "other"
			must(t, c.add(a))
			must(t, c.update(b)) // that it was not there before is no error
			must(t, c.add(elsewhere))
			c.holds(t, a, b, elsewhere)
			newer := pod("a", 4, "")
			must(t, c.add(newer)) // and neither is that it was
			c.holds(t, newer, b, elsewhere)
			got, ok := c.get(a)
			t.Require(ok, "Get was given %s and found nothing, and %s is stored under its key.", show(a), show(newer))
			t.Require(show(got) == show(newer), "Get was given %s and returned %s, and what is stored under its key is %s.", show(a), show(got), show(newer))
			got, ok = c.get(pod("c", 5, ""))
			t.Require(!ok && got == nil, "Nobody has stored an object under default/c. Get has to return nil, false, and returned %s, %t.", show(got), ok)
			got, ok = c.getByKey("a")
			t.Require(!ok, "GetByKey(\"a\") found an object: the key of a pod in a namespace has that in front, as in \"default/a\".")
			t.Require(got == nil, "GetByKey(\"a\") found nothing, and returned %s with the false: it should be nil.", show(got))
			node := clusterWide(pod("n", 6, ""))
			must(t, c.add(node))
			c.holds(t, newer, b, elsewhere, node)
			got, ok = c.get(node)
			t.Require(ok && got == node, "%s, which has no namespace, was added. Get was given the same object and returned %s, %t.", show(node), show(got), ok)
			ending := leaving("a", 7, "", "x")
			t.Note("the next object is being deleted: it has a DeletionTimestamp, finalizers and a GenerateName, which mean nothing to an indexer")
			must(t, c.update(ending))
			c.holds(t, ending, b, elsewhere, node)
			keysAreExact(t, start(t, open(), nil))
			versionsAreNotCompared(t, start(t, open(), nil))
		},
	},
	{
		Name:   "finds-by-index",
		Points: 5,
		Func:   "Indexer.ByIndex",
		Look:   []string{"the step that puts an object into an index and takes it out", "Indexer.ByIndex"},
		Rule:   "ByIndex and IndexKeys return exactly the objects that have the value in that index. An object may have no value, one or many.",
		Why:    "The node controller asks for the pods of one node. Without an index it would look at all hundred thousand, for each of five thousand nodes.",
		Hint: []string{
			"How do you find the pods of a node without looking at every pod?",
			"Keep for each index a map from value to a set of keys. Add asks each IndexFunc and puts the key into the set of each value.",
		},
		Source: "client-go tools/cache/index.go: Indexer; client-go tools/cache/thread_safe_store.go: ByIndex, IndexKeys; client-go tools/cache/index_test.go: TestMultiIndexKeys",
		Contract: []string{
			"ByIndex returns the objects under indexedValue in the index of that name: none, if there is no such value.",
			"IndexKeys is like ByIndex, but returns the keys of the objects.",
			"which says under which values an object is to be found: under none, one or many",
			"ListIndexFuncValues returns the values under which the index of that name has objects.",
			"Names and values may be any strings, the empty one too, and two that differ in one byte are different.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), standard())
			a, b := pod("a", 1, "node-1", "x", "y"), pod("b", 2, "node-1", "y")
			d := pod("d", 3, "node-2")
			waiting := pod("waiting", 4, "")
			for _, p := range []*kit.Pod{a, b, d, waiting} {
				must(t, c.add(p))
			}
			c.expect(t, byNode, "node-1", a, b)
			c.expect(t, byNode, "node-2", d)
			c.expect(t, byNode, "node-3")
			c.expect(t, byNode, "")
			c.listsAfter(t, "ByIndex and IndexKeys were asked for values that no object has, \"node-3\" and \"\": ", byNode, "node-1", "node-2")
			c.expect(t, byTag, "x", a)
			c.expect(t, byTag, "y", a, b)
			c.expect(t, byTag, "node-1") // a value of another index
			c.expect(t, byNamespace, "default", a, b, d, waiting)
			c.lists(t, byNode, "node-1", "node-2")
			c.lists(t, byTag, "x", "y")
			valuesAreExact(t, start(t, open(), standard()))
		},
	},
	{
		Name:   "update-moves-the-object",
		Points: 5,
		Func:   "Indexer.Update",
		Rule:   "After an update a look-up finds the new object under its new values, and no longer under those it had.",
		Why:    "When the scheduler puts a pod on a node, the index has to show it under that node, and no longer among the pods without one.",
		Hint: []string{
			"A pod moves from one node to another. Which sets of your index contain it then?",
			"Before you store the new object, ask the IndexFunc about the old one and take it out of what it says.",
			"And if the values stay the same? ByIndex must return the new object.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: updateSingleIndex",
		Contract: []string{
			"Add stores obj, and replaces the object with the same key if there is one.",
			"At every moment each index holds exactly the stored objects, each under the values of the object as it is stored now.",
			"Update does what Add does.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			moves(t, start(t, open(), standard()), "Add")
			t.Note("with Add all of that holds, and now comes the same with Update")
			moves(t, start(t, open(), standard()), "Update")
		},
	},
	{
		Name:   "delete-removes-everywhere",
		Points: 5,
		Func:   "Indexer.Delete",
		Rule:   "After a deletion no look-up finds the object, whatever state Delete was given. Deleting an object that is not stored does nothing.",
		Why:    "A tombstone carries an old state of the object. If that state decided which sets to clean, the pod would stay in the set of its last node.",
		Hint: []string{
			"Delete gets an object. Is it the one that you have put into the indices?",
			"Its key says which object to delete. The stored object says in which sets it is.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: deleteLocked, updateIndices (with the stored object, and only if there is one)",
		Contract: []string{
			"Delete removes the object with the key of obj, whatever else obj says. If there is none it does nothing. It returns nil.",
			"At every moment each index holds exactly the stored objects",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), standard())
			a, b := pod("a", 1, "node-1", "x", "y"), pod("b", 2, "node-1", "y")
			must(t, c.add(a))
			must(t, c.add(b))
			must(t, c.delete(pod("c", 3, "node-1", "y"))) // never heard of
			c.expect(t, byNode, "node-1", a, b)
			must(t, c.delete(pod("a", 0, "node-0", "z")))
			must(t, c.delete(pod("a", 0, "node-0", "z")))
			after := "Delete was given an old state of a, default/a@0 on node-0, while a@1 was stored: "
			c.holdsAfter(t, after, b)
			c.expectAfter(t, after, byNode, "node-1", b)
			c.expect(t, byTag, "x")
			c.expect(t, byTag, "y", b)
			c.expect(t, byNamespace, "default", b)
			twice := pod("twice", 1, "", "y", "y") // once under y, where b is
			must(t, c.add(twice))
			must(t, c.delete(twice))
			c.expect(t, byTag, "y", b)
			must(t, c.add(a))
			c.expect(t, byTag, "y", a, b)
			namesake := clusterWide(pod("b", 3, "node-2", "y")) // of b, and without a namespace
			must(t, c.add(namesake))
			must(t, c.delete(clusterWide(pod("b", 4, ""))))
			c.holds(t, a, b)
			c.expect(t, byTag, "y", a, b)
			c.lists(t, byNode, "node-1")
			t.Note("a is being deleted from now on: it has a DeletionTimestamp and finalizers, which mean nothing to an indexer")
			must(t, c.update(leaving("a", 5, "node-1", "x")))
			must(t, c.delete(leaving("a", 6, "node-1", "x")))
			c.holds(t, b)
			c.expect(t, byTag, "x")
		},
	},
	{
		Name:   "replace-rebuilds",
		Points: 6,
		Func:   "Indexer.Replace",
		Rule:   "After Replace exactly the objects of the list are stored, and the indices contain them and no others.",
		Why:    "If an old index entry survives a relist, controllers get pods that are gone.",
		Hint: []string{
			"What has to go when a new list comes? The objects alone?",
			"Begin with empty indices, and put every object of the list into them.",
		},
		Source: "client-go tools/cache/thread_safe_store.go: Replace (index.reset; no test of upstream fails without it)",
		Contract: []string{
			"Replace puts the objects of list in the place of all that are stored: afterwards exactly these are stored, and the indices contain them and no others.",
			"Of several objects with the same key the last one counts, as if the others were not in list.",
			"The resource version is not used.",
			"At every moment each index holds exactly the stored objects",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open(), standard())
			must(t, c.add(pod("a", 1, "node-1", "x")))
			gone := pod("gone", 2, "node-2", "y")
			must(t, c.add(gone))
			c.lists(t, byNode, "node-1", "node-2")
			c.expect(t, byNode, "node-2", gone)
			a, b := pod("a", 3, "node-3", "y"), pod("b", 4, "node-1")
			must(t, c.replace(pod("b", 0, "node-0"), a, b))
			c.holds(t, a, b)
			c.expect(t, byNode, "node-0")
			c.expect(t, byNode, "node-1", b)
			c.expect(t, byNode, "node-2")
			c.expect(t, byNode, "node-3", a)
			c.expect(t, byTag, "x")
			c.expect(t, byTag, "y", a)
			c.lists(t, byNode, "node-1", "node-3")
			must(t, c.delete(a)) // the indices are still kept afterwards
			c.expect(t, byTag, "y")
			moved := pod("b", 4, "node-2", "z")
			must(t, c.replace(moved))
			after := "Replace was given another state of b with the resource version of the stored one, @4: "
			c.holdsAfter(t, after, moved)
			c.expectAfter(t, after, byNode, "node-2", moved)
			n := clusterWide(pod("n", 5, "node-1"))
			must(t, c.replace(moved, n))
			c.holds(t, moved, n)
			must(t, c.replace())
			c.holds(t)
			c.lists(t, byNode)
			c.expect(t, byNode, "node-1")
			must(t, c.add(moved)) // the indices are there, and empty
			c.expect(t, byNode, "node-2", moved)
			lastOneCounts(t, start(t, open(), standard()))
			versionsMeanNothing(t, start(t, open(), standard()))
		},
	},
	{
		Name:   "unknown-index-is-an-error",
		Points: 4,
		Func:   "Indexer.ByIndex",
		Rule:   "Index, ByIndex and IndexKeys return an error for an index that does not exist.",
		Why:    "If a misspelt index name found nothing, it would look like a node without pods, and somebody would take the node away.",
		Hint: []string{
			"A map returns the zero value for a missing key. Is that an answer here?",
		},
		Source:   "client-go tools/cache/thread_safe_store.go: getKeysByIndex, getKeysFromIndex",
		Contract: []string{"An index that does not exist is an error.", "For an index that does not exist it returns none."},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, indexers := range []map[string]IndexFunc{nil, standard()} {
				c := start(t, open(), indexers)
				knowsNoNodes(t, c, "")
				must(t, c.add(pod("a", 1, "node-1")))
				knowsNoNodes(t, c, "node-1")
			}
		},
	},
}

// lastOneCounts replaces by lists that have one key three times. Which of the three has the highest
// resource version does not matter.
func lastOneCounts(t *conform.T, c client) {
	for _, versions := range [][]int{{1, 2, 3}, {3, 2, 1}, {2, 3, 1}, {2, 2, 2}} {
		var list []*kit.Pod
		for i, version := range versions {
			list = append(list, pod("a", version, fmt.Sprintf("node-%d", i)))
		}
		last := list[2]
		after := fmt.Sprintf("Replace was given three objects with one key, the last of them %s: ", show(last))
		must(t, c.replace(list...))
		c.holdsAfter(t, after, last)
		c.expectAfter(t, after, byNode, "node-2", last)
		c.lists(t, byNode, "node-2")
	}
	lastOfManyCount(t, c)
}

// lastOfManyCount replaces by a list that has seven keys again and again. It is too long for a sort that is not stable to
// leave equal keys in their order.
func lastOfManyCount(t *conform.T, c client) {
	const objects, keys = 84, 7
	var list []*kit.Pod
	for i := range objects {
		list = append(list, pod(strconv.Itoa(i*5%keys), i, "node-"+strconv.Itoa(i)))
	}
	call := t.Call("Replace(%d pods with %d keys, @0 to @%d)", objects, keys, objects-1)
	must(t, c.x.Replace(list, "1"))
	call.Returned("")
	want := list[objects-keys:]
	after := fmt.Sprintf("Replace was given %d objects with %d keys. Of those with the same key the last one counts, so the last %d, @%d to @%d, are stored: ", objects, keys, keys, objects-keys, objects-1)
	c.holdsAfter(t, after, want...)
	for _, p := range want {
		c.expectAfter(t, after, byNode, p.Spec.NodeName, p)
	}
}

// versionsMeanNothing replaces by lists whose resource versions go back, stay, and are no numbers.
func versionsMeanNothing(t *conform.T, c client) {
	versions := []string{"10", "9", "9", "", "0", "ten", "10"}
	for i, version := range versions {
		p := pod(fmt.Sprintf("pod-%d", i), 1, "node-1")
		after := fmt.Sprintf("Replace was given a list with the resource version %q, which is not used, after the lists %q: ", version, versions[:i])
		must(t, c.replaceAt(version, p))
		c.holdsAfter(t, after, p)
		c.expectAfter(t, after, byNode, "node-1", p)
	}
}

// knowsNoNodes asks for an index that does not exist, under a value and for an object.
func knowsNoNodes(t *conform.T, c client, value string) {
	_, err := c.byIndex("nodes", value)
	t.Require(err != nil, "There is no index \"nodes\", and ByIndex returned no error for it.")
	_, err = c.indexKeys("nodes", value)
	t.Require(err != nil, "There is no index \"nodes\", and IndexKeys returned no error for it.")
	_, err = c.index("nodes", pod("a", 1, value))
	t.Require(err != nil, "There is no index \"nodes\", and Index returned no error for it.")
	same(t, []string{}, sorted(c.values("nodes")), "ListIndexFuncValues of an index that does not exist")
}

// moves puts changed objects into the place of stored ones, all by Add or all by Update: so it
// shows which of the two is wrong.
func moves(t *conform.T, c client, way string) {
	put := func(p *kit.Pod) string {
		must(t, c.write(way, p, map[string]func(*kit.Pod) error{"Add": c.x.Add, "Update": c.x.Update}[way]))
		return fmt.Sprintf("After %s(%s): ", way, show(p))
	}
	must(t, c.add(pod("a", 1, "")))
	placed := pod("a", 2, "node-1")
	after := put(placed)
	c.expectAfter(t, after, byNamespace, "default", placed) // an index whose value is the same
	c.expectAfter(t, after, byNode, "node-1", placed)
	moved, other := pod("a", 3, "node-2"), pod("b", 4, "node-1")
	must(t, c.add(other))
	after = put(moved)
	c.expectAfter(t, after, byNode, "node-1", other)
	c.expectAfter(t, after, byNode, "node-2", moved)
	ready := pod("a", 5, "node-2") // changed, with the same values
	after = put(ready)
	c.expectAfter(t, after, byNode, "node-2", ready)
	after = put(pod("a", 6, ""))
	c.expectAfter(t, after, byNode, "node-2")
	c.expectAfter(t, after, byNode, "node-1", other)
	same := pod("a", 6, "node-3")
	after = put(same) + "that is another state, with the resource version of the stored one. "
	c.holdsAfter(t, after, same, other)
	c.expectAfter(t, after, byNode, "node-3", same)
}

// versionsAreNotCompared puts states of one object into each other's place. Their versions go back, stay,
// and are no numbers.
func versionsAreNotCompared(t *conform.T, c client) {
	for way, put := range map[string]func(*kit.Pod) error{"Add": c.x.Add, "Update": c.x.Update} {
		stored := "none"
		for i, version := range []string{"10", "9", "9", "100", "", "0", "ten", "10"} {
			p := pod("of-"+way, 0, fmt.Sprintf("node-%d", i))
			p.ResourceVersion = version
			must(t, c.write(way, p, put))
			got, _ := c.get(p)
			t.Require(got == p, "%s was given a new state of an object with the resource version %q, and that of the stored one was %q. It is stored whatever its version is, and Get returned %s.", way, version, stored, show(got))
			stored = version
		}
	}
}

// clusterWide is p without a namespace, as nodes and namespaces are: the key is the name.
func clusterWide(p *kit.Pod) *kit.Pod {
	p.Namespace = ""
	return p
}

// leaving is a pod that somebody has deleted in the API server, and that waits for its finalizers.
func leaving(name string, version int, node string, tags ...string) *kit.Pod {
	p := pod(name, version, node, tags...)
	p.DeletionTimestamp = &time.Time{}
	p.GenerateName, p.Finalizers = name+"-", []string{"z", "x", "x"}
	p.Labels, p.Annotations = map[string]string{"app": "web"}, map[string]string{"note": "1"}
	return p
}

// keysAreExact has keys that differ in little, and some that nobody would choose.
func keysAreExact(t *conform.T, c client) {
	var stored []*kit.Pod
	for version, name := range []string{"a", "A", "/a", " a", "", "b/c", "b/c/d"} {
		p := clusterWide(pod(name, version, ""))
		p.GenerateName = "web-"
		must(t, c.add(p))
		stored = append(stored, p)
	}
	c.holds(t, stored...)
	for _, key := range []string{"/A", "a/", "default/a", "/"} {
		got, ok := c.getByKey(key)
		t.Require(!ok, "GetByKey(%q) found %s. No stored object has that key: the keys are %q.", key, show(got), keysOf(stored))
	}
}

// nearlyEqual are values that differ in little. The last four are two that are no UTF-8, and é in two spellings.
var nearlyEqual = []string{"x", "X", " x", "x ", "", " ", "xx", "x/", "/x", "\xfe", "\xff", "\u00e9", "e\u0301"}

// valuesAreExact puts one object under each of some values that differ in little.
func valuesAreExact(t *conform.T, c client) {
	pods := []*kit.Pod{}
	for i, value := range nearlyEqual {
		pods = append(pods, pod(fmt.Sprintf("pod-%d", i), 1, "", value))
		must(t, c.add(pods[i]))
	}
	for i, value := range nearlyEqual {
		c.expect(t, byTag, value, pods[i])
	}
	c.expect(t, byTag, "x x")
	c.lists(t, byTag, nearlyEqual...)
	all := pod("all", 1, "", nearlyEqual...)
	must(t, c.add(all))
	for i, value := range nearlyEqual {
		c.expect(t, byTag, value, all, pods[i])
	}
}
