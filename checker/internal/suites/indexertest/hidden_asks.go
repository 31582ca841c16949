package indexertest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ask is a call of an IndexFunc: of which index, and for which object.
type ask struct{ index, object string }

func (a ask) String() string { return fmt.Sprintf("that of index %q for %s", a.index, a.object) }

// asks remembers calls of IndexFuncs. It has a lock, because a subject may make them from a goroutine of its own.
type asks struct {
	mu   sync.Mutex // guards list
	list []ask
}

// of is f as the IndexFunc of an index, which is remembered when it is called.
func (a *asks) of(index string, f IndexFunc) IndexFunc {
	return func(p *kit.Pod) ([]string, error) {
		a.mu.Lock()
		a.list = append(a.list, ask{index, show(p)})
		a.mu.Unlock()
		if p == nil {
			return nil, nil
		}
		return f(p)
	}
}

// only requires that since the last look no IndexFunc was called but for pods, by indices whose names begin with this.
func (a *asks) only(t *conform.T, call, why, index string, pods ...*kit.Pod) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var wrong []string
	for _, one := range a.list {
		if !strings.HasPrefix(one.index, index) || !slices.Contains(showAll(pods), one.object) {
			wrong = append(wrong, one.String())
		}
	}
	a.list = nil
	slices.Sort(wrong)
	t.Require(len(wrong) == 0, "%s called an IndexFunc where there is no need to: %s. %s", call, strings.Join(slices.Compact(wrong), ", "), why)
}

// asksNobody has IndexFuncs that write down what they are called for.
func asksNobody(t *conform.T, s Subject) {
	var asked asks
	c := start(t, s, map[string]IndexFunc{byNode: asked.of(byNode, nodeOf), byTag: asked.of(byTag, tagsOf)})
	asked.only(t, "New", "There is no object yet.", "")
	must(t, c.delete(pod("unknown", 0, "node-1")))
	asked.only(t, "Delete", "It was given an object whose key is not stored, so it removes nothing and needs no values.", "")
	stored := []*kit.Pod{pod("a", 1, "node-1"), pod("b", 2, "node-1"), pod("d", 3, "node-2", "x")}
	must(t, c.replace(stored...))
	asked.only(t, "Replace", "It may ask about the objects of its list.", "", stored...)
	c.expect(t, byNode, "node-1", stored[:2]...)
	c.lists(t, byNode, "node-1", "node-2")
	c.holds(t, stored...)
	_, _ = c.get(stored[0])
	_, _ = c.get(pod("unknown", 0, "node-1"))
	_ = c.values("unknown")
	asked.only(t, "Some method that reads (ByIndex, IndexKeys, ListIndexFuncValues, List, ListKeys, Get or GetByKey)", "The index has to know already.", "")
	asksForTheLastOnly(t, c, &asked, stored)
	asksAboutOne(t, c, &asked)
	err := c.addIndexers(map[string]IndexFunc{"new-node": asked.of("new-node", nodeOf), "new-tag": asked.of("new-tag", tagsOf)})
	must(t, err)
	asked.only(t, "AddIndexers", "It calls only the new ones and only for stored objects.", "new-", stored...)
	_ = c.addIndexers(map[string]IndexFunc{byTag: asked.of("new-conflict", tagsOf), "other": asked.of("new-other", tagsOf)})
	asked.only(t, "AddIndexers, with a name that exists,", "It calls only the new ones and only for stored objects.", "new-", stored...)
	must(t, c.replace())
	asked.only(t, "Replace, by an empty list,", "It may ask about the objects that it removes.", "", stored...)
}

// asksForTheLastOnly replaces what is stored by a list that has one key three times, and then by what was stored.
func asksForTheLastOnly(t *conform.T, c client, asked *asks, stored []*kit.Pod) {
	last, other := pod("a", 8, "node-1"), pod("other", 1, "node-1")
	must(t, c.replace(pod("a", 6, "node-1"), pod("a", 7, "node-2"), other, last))
	asked.only(t, "Replace", "Of several objects with the same key the last one counts, as if the others were not in list.", "", append([]*kit.Pod{last, other}, stored...)...)
	must(t, c.replace(stored...))
	asked.only(t, "Replace", "It may ask about the objects of its list and about those that it removes.", "", append([]*kit.Pod{last, other}, stored...)...)
}

// asksAboutOne writes one object, under a key of its own, and asks for what shares a value with it.
func asksAboutOne(t *conform.T, c client, asked *asks) {
	states := []*kit.Pod{}
	for version := range 8 {
		states = append(states, pod("given", version, fmt.Sprint("node-", version/4), "x"))
	}
	index := func(given *kit.Pod) {
		_, err := c.index(byNode, given)
		must(t, err)
		asked.only(t, fmt.Sprintf("Index(%q, %s)", byNode, show(given)), "It calls its own, and only for the object that it is given.", byNode, given)
	}
	before := []string{}
	for _, p := range states {
		before = append(before, show(p))
	}
	write := func(method string, p *kit.Pod, f func(*kit.Pod) error, may ...*kit.Pod) {
		must(t, c.write(method, p, f))
		for i, was := range before {
			t.Require(show(states[i]) == was, "%s has changed %s, which is stored or was given to it: now that is %s. Nobody may change a stored object, and the indexer changes none that it is given.", c.past.write, was, show(states[i]))
		}
		why := fmt.Sprintf("It may ask about %s.", strings.Join(showAll(may), " and "))
		asked.only(t, fmt.Sprintf("%s(%s)", method, show(p)), why, "", may...)
	}
	index(states[0])
	write("Add", states[1], c.x.Add, states[1])
	index(states[2])
	write("Update", states[3], c.x.Update, states[1], states[3]) // with the same values
	write("Update", states[4], c.x.Update, states[3], states[4]) // with others
	write("Add", states[5], c.x.Add, states[4], states[5])
	index(states[6])
	write("Delete", states[7], c.x.Delete, states[5])
	write("Delete", states[5], c.x.Delete)
}

// costsItsAnswer compares the price of each look-up among few objects with that among many. It finds one
// object or one value, or none, whatever is stored.
func costsItsAnswer(t *conform.T, s Subject) {
	fewOf, manyOf := lookUps(t, s, 8, 8), lookUps(t, s, 1<<14, 1<<12)
	for i, many := range manyOf {
		few := fewOf[i]
		cheap := few.price(t, 0)
		dear := many.price(t, 50*cheap)
		t.Require(dear < 50*cheap, "%s, which finds %s, took %d times as long with %d objects stored as with %d: it goes through all of them, or makes room for all.", many.call, some(many.finds), dear/cheap, many.stored, few.stored)
	}
}

// costsWhatItFinds compares what is found: a look-up that finds five hundred times as many objects may take five hundred
// times as long, and that is far from the square of it.
func costsWhatItFinds(t *conform.T, s Subject) {
	const few, many = 8, 1 << 12
	of := func(n int) []priced {
		x := start(t, s, map[string]IndexFunc{"both": func(p *kit.Pod) ([]string, error) { return append([]string{p.Namespace}, p.Spec.Tolerations...), nil }}).x
		var pods []*kit.Pod
		for i := range n {
			pods = append(pods, pod(strconv.Itoa(i), 1, ""))
		}
		must(t, x.Replace(pods, "1"))
		given := pod("given", 1, "", "none")
		return []priced{
			{"Index, for a pod with two values,", n, n, func() (n, room int) { return counted(x.Index("both", given)) }},
			{"ByIndex", n, n, func() (n, room int) { return counted(x.ByIndex("both", "default")) }},
			{"IndexKeys", n, n, func() (n, room int) { return counted(x.IndexKeys("both", "default")) }},
		}
	}
	fewOf, manyOf := of(few), of(many)
	for i, all := range manyOf {
		n, _ := all.look()
		t.Require(n == many, "%d objects are stored, all under one value, and %s returned %d of them.", many, all.call, n)
		cheap := fewOf[i].fastest(t, 0)
		enough := 20 * many / few * cheap
		dear := all.fastest(t, enough)
		t.Require(dear < enough, "%s took %v where it finds %d objects, and %v where it finds %d: that is %d times as long for %d times as many. Such a look-up costs about as much as what it finds.", all.call, cheap/5, few, dear/5, many, dear/cheap, many/few)
	}
}

// some is 0 or 1 in words.
func some(n int) string { return []string{"nothing", "one"}[n] }

// priced is a look-up that finds one object, key or value, or none: how many it has returned, and the room of the slice.
type priced struct {
	call   string
	finds  int
	stored int
	look   func() (n, room int)
}

// lookUps ask an index by name about one of many objects or none, and one by namespace about its only value, under
// which all objects are. These are fewer: one large set may be slow to build.
func lookUps(t *conform.T, s Subject, names, inOne int) []priced {
	var pods []*kit.Pod
	for i := range names {
		pods = append(pods, pod(strconv.Itoa(i), 1, ""))
	}
	byName := start(t, s, map[string]IndexFunc{byTag: tagsOf, "name": func(p *kit.Pod) ([]string, error) { return append([]string{p.Name}, p.Spec.Tolerations...), nil }}).x
	must(t, byName.Replace(pods, "1"))
	by := start(t, s, map[string]IndexFunc{byNamespace: namespaceOf}).x
	must(t, by.Replace(pods[:inOne], "1"))
	all := []priced{
		{"ListIndexFuncValues(namespace)", 1, inOne, func() (n, room int) { return counted(by.ListIndexFuncValues(byNamespace), nil) }},
		{"ListIndexFuncValues(of no such index)", 0, inOne, func() (n, room int) { return counted(by.ListIndexFuncValues("none"), nil) }},
	}
	add := func(call string, finds int, look func() (n, room int)) {
		all = append(all, priced{call, finds, names, look})
	}
	unknown := pod("none", 1, "")
	add("Get(the pod 5)", 1, func() (n, room int) { return one(byName.Get(pods[5])) })
	add("Get(a pod that is not stored)", 0, func() (n, room int) { return one(byName.Get(unknown)) })
	add("GetByKey(default/5)", 1, func() (n, room int) { return one(byName.GetByKey("default/5")) })
	add("GetByKey(default/none)", 0, func() (n, room int) { return one(byName.GetByKey("default/none")) })
	add("ByIndex(name, 5)", 1, func() (n, room int) { return counted(byName.ByIndex("name", "5")) })
	add("ByIndex(name, none)", 0, func() (n, room int) { return counted(byName.ByIndex("name", "none")) })
	add("IndexKeys(name, 5)", 1, func() (n, room int) { return counted(byName.IndexKeys("name", "5")) })
	add("IndexKeys(name, none)", 0, func() (n, room int) { return counted(byName.IndexKeys("name", "none")) })
	for _, given := range []struct {
		what  string
		finds int
		pod   *kit.Pod
	}{
		{"the pod 5", 1, pods[5]}, {"a pod with the values 5 and none", 1, pod("5", 2, "", "none")},
		{"a pod with the value none", 0, unknown}, {"a pod with two values that no other has", 0, pod("none", 2, "", "nobody")},
	} {
		add("Index(name, "+given.what+")", given.finds, func() (n, room int) { return counted(byName.Index("name", given.pod)) })
	}
	add("Index(tag, a pod without values)", 0, func() (n, room int) { return counted(byName.Index(byTag, pods[5])) })
	return all
}

// one and counted are what a look-up has returned, and for how many there is room.
func one(_ *kit.Pod, ok bool) (n, room int) {
	if !ok {
		return 0, 0
	}
	return 1, 1
}

func counted[E any](found []E, _ error) (n, room int) { return len(found), cap(found) }

// price is what five calls take when nothing comes between, of a look-up that finds what it should.
func (l priced) price(t *conform.T, enough time.Duration) time.Duration {
	n, room := l.look()
	t.Require(n == l.finds, "%d pods are stored. %s has to find %s, and returned %d.", l.stored, l.call, some(l.finds), n)
	t.Require(room < 1<<10, "%d pods are stored. %s has to find %s, and returned a slice with room for %d: that costs what all objects cost.", l.stored, l.call, some(l.finds), room)
	return l.fastest(t, enough)
}

// fastest is the quickest of some rounds of five calls. It is no longer sought when it is below enough,
// nor for much more than a second.
func (l priced) fastest(t *conform.T, enough time.Duration) time.Duration {
	call := t.Call("%s, again and again, with %d pods stored", l.call, l.stored)
	best := time.Hour
	for round, start := 0, time.Now(); round < 40 && best >= enough && (round < 3 || time.Since(start) < time.Second); round++ {
		began := time.Now()
		for range 5 {
			l.look()
		}
		best = min(best, time.Since(began))
	}
	call.Returned("")
	return best
}
