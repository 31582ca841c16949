package indexertest

import (
	"fmt"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var models = []conform.Case[Subject]{
	{
		Name:   "behaves-like-the-model",
		Points: 6,
		Func:   "Indexer.Update",
		Rule:   "After any sequence of writes, every look-up finds what a search through all stored objects finds.",
		Why:    "An index that is wrong once stays wrong: no later write looks at that entry again.",
		Hint: []string{
			"This is the shortest failing history that was found. Follow it by hand: which write leaves an entry behind, or forgets to add one?",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"At every moment each index holds exactly the stored objects, each under the values of the object as it is stored now.",
			"ByIndex returns the objects under indexedValue in the index of that name",
			"Index returns the stored objects that share a value with obj in the index of that name, each of them once.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			model.Check(t, 100, func(rt *rapid.T, t *conform.T) {
				m := &naive{t: t, c: start(t, s, map[string]IndexFunc{byNode: nodeOf}), pods: map[string]*kit.Pod{}}
				m.indices = map[string]IndexFunc{byNode: nodeOf}
				for range rapid.IntRange(1, 20).Draw(rt, "writes") {
					m.step(rt)
				}
				m.compare(rt)
			})
			manyObjects(t, start(t, s, map[string]IndexFunc{byNamespace: namespaceOf, byTag: tagsOf}))
		},
	},
}

// naive is the contract in its simplest form: objects, and indices that are computed
// by looking at all of them.
type naive struct {
	t       *conform.T
	c       client
	pods    map[string]*kit.Pod
	indices map[string]IndexFunc
	version int
}

// manyObjects stores more objects, all in one namespace and each with a tag of its own, than any model draws. It
// deletes some and looks for all.
func manyObjects(t *conform.T, c client) {
	const stored, deleted = 1200, 176 // 1024 are left, which a count of one byte takes for none
	var pods []*kit.Pod
	for i := range stored {
		pods = append(pods, pod(strconv.Itoa(i), 1, "", "tag-"+strconv.Itoa(i)))
	}
	call := t.Call("Replace(%d pods, each with a tag of its own), and then Delete of %d of them", stored, deleted)
	must(t, c.x.Replace(pods, "1"))
	t.Rand().Shuffle(stored, func(i, j int) { pods[i], pods[j] = pods[j], pods[i] })
	for _, p := range pods[:deleted] {
		must(t, c.x.Delete(p))
	}
	call.Returned("")
	after := fmt.Sprintf("%d objects were stored, all in one namespace and each with a tag of its own, and %d of them were deleted: ", stored, deleted)
	together, err := c.x.ByIndex(byNamespace, "default")
	must(t, err)
	for method, found := range map[string][]*kit.Pod{"List": c.x.List(), "ByIndex of the namespace": together} {
		t.Require(slices.Equal(keysOf(found), keysOf(pods[deleted:])), "%s%d are left, and %s returned %d, or not these.", after, stored-deleted, method, len(found))
	}
	t.Require(len(c.x.ListIndexFuncValues(byTag)) == stored-deleted, "%s%d are left, and ListIndexFuncValues returned %d tags.", after, stored-deleted, len(c.x.ListIndexFuncValues(byTag)))
	c.lists(t, byNamespace, "default")
	for i, p := range pods {
		got, ok := c.x.GetByKey(kit.Key(p))
		t.Require(ok == (i >= deleted) && (!ok || got == p), "%s%s is one that was deleted: %t. GetByKey returned %s, %t.", after, show(p), i < deleted, show(got), ok)
		found, err := c.x.ByIndex(byTag, p.Spec.Tolerations[0])
		must(t, err)
		t.Require(len(found) == 1 && found[0] == p || i < deleted && len(found) == 0, "%s%s is one that was deleted: %t. ByIndex of its tag returned %v.", after, show(p), i < deleted, showAll(found))
	}
}

func (m *naive) draw(rt *rapid.T) *kit.Pod {
	m.version++
	p := pod(
		rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "name"),
		m.version,
		rapid.SampledFrom([]string{"", "node-1", "node-2"}).Draw(rt, "node"),
		rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", ""}), 0, 3).Draw(rt, "tags")...,
	)
	if p.Name == "c" {
		return clusterWide(p)
	}
	return p
}

// step makes one write and has the model do the same, or looks everything up in between.
func (m *naive) step(rt *rapid.T) {
	switch rapid.IntRange(0, 8).Draw(rt, "call") {
	case 8:
		m.compare(rt)
	case 0:
		p := m.draw(rt)
		must(m.t, m.c.delete(p))
		delete(m.pods, kit.Key(p))
	case 1:
		var list []*kit.Pod
		clear(m.pods)
		for range rapid.IntRange(0, 3).Draw(rt, "list") {
			p := m.draw(rt)
			list = append(list, p)
			m.pods[kit.Key(p)] = p
		}
		must(m.t, m.c.replace(list...))
	case 2:
		m.addIndexers()
	case 3:
		p := m.draw(rt)
		must(m.t, m.c.add(p))
		m.pods[kit.Key(p)] = p
	default:
		p := m.draw(rt)
		must(m.t, m.c.update(p))
		m.pods[kit.Key(p)] = p
	}
}

// addIndexers adds the index by tags, which is a conflict from the second time on.
func (m *naive) addIndexers() {
	err := m.c.addIndexers(map[string]IndexFunc{byTag: tagsOf})
	if m.indices[byTag] != nil {
		m.t.Require(err != nil, "AddIndexers was given an index named \"tag\", which exists, and returned no error.")
		return
	}
	must(m.t, err)
	m.indices[byTag] = tagsOf
}

// compare looks everything up.
func (m *naive) compare(rt *rapid.T) {
	m.c.holds(m.t, m.search(func(*kit.Pod) bool { return true })...)
	for _, value := range []string{"", "node-1", "node-2"} {
		m.c.expect(m.t, byNode, value, m.under(byNode, value)...)
	}
	m.c.lists(m.t, byNode, m.values(byNode)...)
	if m.indices[byTag] == nil {
		return
	}
	for _, value := range []string{"x", "y", ""} {
		m.c.expect(m.t, byTag, value, m.under(byTag, value)...)
	}
	m.c.lists(m.t, byTag, m.values(byTag)...)
	given := m.draw(rt)
	got, err := m.c.index(byTag, given)
	must(m.t, err)
	want := m.search(func(p *kit.Pod) bool {
		return slices.ContainsFunc(p.Spec.Tolerations, func(tag string) bool { return slices.Contains(given.Spec.Tolerations, tag) })
	})
	same(m.t, showAll(want), showAll(got), "Index(%q, %s)", byTag, show(given))
}

func (m *naive) search(matches func(p *kit.Pod) bool) []*kit.Pod {
	var found []*kit.Pod
	for _, p := range m.pods {
		if matches(p) {
			found = append(found, p)
		}
	}
	return found
}

func (m *naive) under(name, value string) []*kit.Pod {
	return m.search(func(p *kit.Pod) bool { return slices.Contains(valuesOf(m.indices[name], p), value) })
}

func (m *naive) values(name string) []string {
	var all []string
	for _, p := range m.pods {
		all = append(all, valuesOf(m.indices[name], p)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// valuesOf is what an index function that cannot fail says.
func valuesOf(f IndexFunc, p *kit.Pod) []string {
	values, _ := f(p)
	return values
}
