package indexertest

import (
	"errors"
	"runtime"
	"strconv"
	"unsafe"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

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

// valuesAskedFor asks for forty objects and for their values. None of them is ever stored.
func valuesAskedFor(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{"uid": uidOf})
	must(t, c.x.Add(pod("last", 1, "")))
	forgets(t, "Index of 40 pods that are not stored, each with a UID of its own", func(pods []*kit.Pod) {
		for _, p := range pods {
			_, err := c.x.Index("uid", p)
			must(t, err)
		}
	})
	forgets(t, "ByIndex and IndexKeys of 40 UIDs that no stored pod has, and Delete of the pods that have them", func(pods []*kit.Pod) {
		for _, p := range pods {
			_, err := c.x.ByIndex("uid", p.UID)
			must(t, err)
			_, err = c.x.IndexKeys("uid", p.UID)
			must(t, err)
			must(t, c.x.Delete(p))
		}
	})
	holdsOne(t, c)
}

// valuesOfFailedWrites has an IndexFunc fail for forty objects, each with a value of its own in another index.
func valuesOfFailedWrites(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{"uid": uidOf, "image": imageOf})
	must(t, c.x.Add(pod("last", 1, "")))
	fails := func(method string, write func(p *kit.Pod) error) {
		forgets(t, method+" of 40 pods, each with a UID of its own, for which an IndexFunc fails", func(pods []*kit.Pod) {
			for _, p := range pods {
				err := write(failing(p))
				t.Require(errors.Is(err, errImage), "An IndexFunc failed with an error of its own, and %s has to return that error, wrapped or as it is, and returned %s.", method, conform.Said(err))
			}
		})
	}
	fails("Add", c.x.Add)
	fails("Update, from a state for which none fails,", func(p *kit.Pod) error {
		p.Name = "last"
		return c.x.Update(p)
	})
	fails("Replace", func(p *kit.Pod) error { return c.x.Replace([]*kit.Pod{p}, "1") })
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

// way is how an object comes to an indexer and is not stored in the end.
type way struct {
	what string
	do   func(x Indexer, p *kit.Pod)
}

// ways are calls after which p is not stored. No other write follows, which would make an indexer forget the last.
func ways() []way {
	other := func(tags ...string) *kit.Pod { return pod("a", 2, "", tags...) }
	return []way{
		{"Add(a), Delete(a)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Delete(p) }},
		{"Add(a), Delete(another state of a)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Delete(other()) }},
		{"Add(a), all methods that read, Delete(a)", func(x Indexer, p *kit.Pod) { _, _, _ = x.Add(p), readsAll(x), x.Delete(p) }},
		{"Add(a), all methods that read, Update(another state of a)", func(x Indexer, p *kit.Pod) { _, _, _ = x.Add(p), readsAll(x), x.Update(other("other")) }},
		{"Replace(a and b), all methods that read, Replace(b)", func(x Indexer, p *kit.Pod) {
			b := pod("b", 1, "", "x")
			_, _, _ = x.Replace([]*kit.Pod{p, b}, "1"), readsAll(x), x.Replace([]*kit.Pod{b}, "2")
		}},
		{"Replace(a and b), Delete(a)", func(x Indexer, p *kit.Pod) { _, _ = x.Replace([]*kit.Pod{p, pod("b", 1, "", "x")}, "1"), x.Delete(p) }},
		{"Replace(b and a), Update(another state of a)", func(x Indexer, p *kit.Pod) {
			_, _ = x.Replace([]*kit.Pod{pod("b", 1, "", "x"), p}, "1"), x.Update(other("x", "y"))
		}},
		{"Delete(a), which was not stored", func(x Indexer, p *kit.Pod) { _ = x.Delete(p) }},
		{"Add(a), Update(a state with the same values)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Update(other("x", "y")) }},
		{"Add(a), Update(a state with other values)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Update(other("other")) }},
		{"Add(a), Update(a state without values)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Update(other()) }},
		{"Add(a), Replace(nothing)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Replace(nil, "2") }},
		{"Add(a), Replace(another state of a)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Replace([]*kit.Pod{other("other")}, "2") }},
		{"Replace(a and another state of a)", func(x Indexer, p *kit.Pod) { _ = x.Replace([]*kit.Pod{p, other("other")}, "1") }},
		{"Index(a), Get(a), none of which is stored", func(x Indexer, p *kit.Pod) {
			_, _ = x.Index("part", p)
			_, _ = x.Get(p)
		}},
	}
}

// readsAll calls each method that reads: twice, in case the second call is the one that keeps something.
func readsAll(x Indexer) error {
	given := pod("given", 1, "", "x", "y")
	for range 2 {
		_, _ = x.Get(pod("a", 1, ""))
		_, _ = x.GetByKey("default/a")
		_, _ = x.List(), x.ListKeys()
		_, _ = x.Index("part", given)
		_, _ = x.ByIndex("part", "x")
		_, _ = x.IndexKeys("part", "x")
		_ = x.ListIndexFuncValues("part")
	}
	return nil
}

// failingWays are such calls that an IndexFunc has fail.
func failingWays() []way {
	stored := func() *kit.Pod { return pod("a", 2, "") }
	return []way{
		{"Add(a), for which an IndexFunc fails", func(x Indexer, p *kit.Pod) { _ = x.Add(failing(p)) }},
		{"Update(a), for which an IndexFunc fails", func(x Indexer, p *kit.Pod) { _, _ = x.Add(stored()), x.Update(failing(p)) }},
		{"Replace(a and b), and an IndexFunc fails for b", func(x Indexer, p *kit.Pod) { _ = x.Replace([]*kit.Pod{p, bad("b", 1, "")}, "1") }},
		{"Add(a), AddIndexers, which fails, Delete(a)", func(x Indexer, p *kit.Pod) {
			_, _, _ = x.Add(p), x.AddIndexers(map[string]IndexFunc{"fails": func(*kit.Pod) ([]string, error) { return nil, errImage }}), x.Delete(p)
		}},
		{"Add(a), AddIndexers of several, of which one fails, Delete(a)", func(x Indexer, p *kit.Pod) {
			_, _, _ = x.Add(p), x.AddIndexers(besideGoodOnes("new", func(*kit.Pod) ([]string, error) { return nil, errImage })), x.Delete(p)
		}},
	}
}

// conflictingWays is such a call, of AddIndexers with a name that exists and with others.
func conflictingWays() []way {
	return []way{
		{"Add(a), AddIndexers(one that exists already, and others), Delete(a)", func(x Indexer, p *kit.Pod) {
			_, _, _ = x.Add(p), x.AddIndexers(besideGoodOnes("part", partOf)), x.Delete(p)
		}},
	}
}

// failing is p as one for which imageOf fails.
func failing(p *kit.Pod) *kit.Pod {
	p.Spec.Image = "bad"
	return p
}

// keepsNotTheLast gives each of some indexers one object that is not stored in the end. One or two may be kept
// alive by a goroutine that was stopped just there; an indexer that keeps its last object keeps all.
func keepsNotTheLast(t *conform.T, s Subject, ways []way) {
	for _, w := range ways {
		call := t.Call("of 12 indexers each: %s", w.what)
		var indexers [12]Indexer
		var objects []weak.Pointer[kit.Pod]
		var parts []weak.Pointer[string]
		for i := range indexers {
			indexers[i] = s.New(map[string]IndexFunc{"part": partOf, "image": imageOf})
			object, part := goesThrough(indexers[i], w)
			objects, parts = append(objects, object), append(parts, part)
		}
		call.Returned("")
		alive := probe.AliveAbove(objects, 2)
		t.Require(alive <= 2, "After these calls the object a is not stored, and the indexer keeps it in memory: %s. Of 12 indexers with which this was done, %d do.", w.what, alive)
		alive = probe.AliveAbove(parts, 2)
		t.Require(alive <= 2, "After these calls the object a is not stored, and the indexer keeps a part of it in memory, the slice that its IndexFunc returned: %s. Of 12 indexers with which this was done, %d do.", w.what, alive)
		runtime.KeepAlive(&indexers)
	}
}

// goesThrough has an object go through an indexer, and points at it and at the slice in it that partOf returns.
//
//go:noinline
func goesThrough(x Indexer, w way) (weak.Pointer[kit.Pod], weak.Pointer[string]) {
	p := pod("a", 1, "", "x", "y")
	w.do(x, p)
	return weak.Make(p), weak.Make(&p.Spec.Tolerations[0])
}

// partOf returns a part of the object.
func partOf(p *kit.Pod) ([]string, error) { return p.Spec.Tolerations, nil }

// valueWays are calls after which no stored object has the value of p. No other write follows, as above.
func valueWays() []way {
	other := func() *kit.Pod { return pod("a", 2, "") }
	return []way{
		{"Add(a), Delete(a)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Delete(p) }},
		{"Add(b), which has another value, Add(a), Delete(a)", func(x Indexer, p *kit.Pod) { _, _, _ = x.Add(uidPod("b")), x.Add(p), x.Delete(p) }},
		{"Add(a), Update(a state with another value)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Update(uidPod("a")) }},
		{"Add(a), Update(a state without values)", func(x Indexer, p *kit.Pod) { _, _ = x.Add(p), x.Update(other()) }},
		{"Replace(a), Replace(nothing)", func(x Indexer, p *kit.Pod) { _, _ = x.Replace([]*kit.Pod{p}, "1"), x.Replace(nil, "2") }},
		{"Replace(a), Replace(a state with another value)", func(x Indexer, p *kit.Pod) {
			_, _ = x.Replace([]*kit.Pod{p}, "1"), x.Replace([]*kit.Pod{uidPod("a")}, "2")
		}},
	}
}

// keepsNotTheLastValue is keepsNotTheLast for the value of an object, which may have memory of its own.
func keepsNotTheLastValue(t *conform.T, s Subject) {
	for _, w := range valueWays() {
		call := t.Call("of 12 indexers each, with an index by UID: %s", w.what)
		var indexers [12]Indexer
		var values []weak.Pointer[byte]
		for i := range indexers {
			indexers[i] = s.New(map[string]IndexFunc{"uid": uidIfAny})
			values = append(values, valueGoesThrough(indexers[i], w, i))
		}
		call.Returned("")
		alive := probe.AliveAbove(values, 2)
		t.Require(alive <= 2, "After these calls no stored object has the value that a had, and the indexer keeps it in memory: %s. Of 12 indexers with which this was done, %d do. A value without an object does not exist, and the indexer keeps nothing of it.", w.what, alive)
		runtime.KeepAlive(&indexers)
	}
}

// valueGoesThrough has an object go through an indexer, and points at the first byte of its UID.
//
//go:noinline
func valueGoesThrough(x Indexer, w way, i int) weak.Pointer[byte] {
	p := pod("a", 1, "")
	p.UID = "a-uid-that-has-memory-of-its-own-" + strconv.Itoa(i)
	w.do(x, p)
	return weak.Make(unsafe.StringData(p.UID))
}

func uidIfAny(p *kit.Pod) ([]string, error) {
	if p.UID == "" {
		return nil, nil
	}
	return uidOf(p)
}
