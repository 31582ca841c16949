// Package indexertest is the conformance suite of lab 15. The subject is a
// kit.Indexer made from a map of index functions, so client-go's cache.NewIndexer
// can be put to the same cases behind a thin adapter.
//
// It is stricter than upstream's own tests and no stricter than upstream's code, with
// one exception: failing-index-func-changes-nothing, for upstream panics where an
// index function fails and this lab returns an error. That case is left out there.
// That New leaves its map alone (part of slices-and-maps-are-the-callers) upstream
// owes to the adapter, which makes a map of its own. The order of results is open,
// so no case looks at it.
//
// Upstream's fast path, for updates that leave a single value as it is, has no case of
// its own: it is asked as what it must not break, in updates-look-at-all-values.
//
// What it can miss: a state between two steps of a write that none of many readers
// ever met; locks held for longer than needed; memory kept for anything but values and
// objects; a write between two parts of a long List, which only few of many Lists meet;
// what goes wrong only with a type of object that is no pointer.
package indexertest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// IndexFunc and Indexer are about pods here.
type (
	IndexFunc = kit.IndexFunc[*kit.Pod]
	Indexer   = kit.Indexer[*kit.Pod]
)

// Subject is lab 15 as the suite sees it: how to make an indexer.
type Subject struct {
	New func(indexers map[string]IndexFunc) Indexer
}

// Lab describes lab 15 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "15-indexer",
		Title:  "The indexer",
		Builds: "a cache that many read at once, with indices that are exact at every moment",
		Files:  []string{"indexer.go", "reading.go"},
		Cases:  conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that puts the real
// client-go to them.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// Names of indices, and the index functions behind them.
const (
	byNamespace = "namespace" // one value each
	byNode      = "node"      // one value or none
	byTag       = "tag"       // any number of values
)

func nodeOf(p *kit.Pod) ([]string, error) {
	if p.Spec.NodeName == "" {
		return nil, nil
	}
	return []string{p.Spec.NodeName}, nil
}

func namespaceOf(p *kit.Pod) ([]string, error) { return []string{p.Namespace}, nil }
func tagsOf(p *kit.Pod) ([]string, error)      { return slices.Clone(p.Spec.Tolerations), nil }

// standard are the indices that most cases use.
func standard() map[string]IndexFunc {
	return map[string]IndexFunc{byNamespace: namespaceOf, byNode: nodeOf, byTag: tagsOf}
}

// client calls the subject and writes every call down as one actor of the history.
type client struct {
	a    *conform.Actor
	x    Indexer
	past *past // nil in the hands of another goroutine, which may not write to it
}

// past is what a client has done, for messages and for the versions of its lists.
type past struct {
	write string // the last one, in words
	lists int    // how many it has replaced by
}

func start(t *conform.T, s Subject, indexers map[string]IndexFunc) client {
	var x Indexer
	t.Do(func() { x = s.New(indexers) }, "New(indices %v)", slices.Sorted(maps.Keys(indexers)))
	return client{t.Actor, x, &past{}}
}

// as is the same indexer in the hands of another goroutine.
func (c client) as(a *conform.Actor) client {
	c.a, c.past = a, nil
	return c
}

// wrote notes a write and passes its error on.
func (c client) wrote(err error, format string, args ...any) error {
	if c.past == nil {
		return err
	}
	c.past.write = fmt.Sprintf(format, args...)
	if err != nil {
		c.past.write += ", which failed"
	}
	return err
}

// after begins a message: with the words given or, without any, with the last write.
func (c client) after(said string) string {
	if said != "" || c.past == nil || c.past.write == "" {
		return said
	}
	return "After " + c.past.write + ": "
}

func (c client) add(p *kit.Pod) error    { return c.write("Add", p, c.x.Add) }
func (c client) update(p *kit.Pod) error { return c.write("Update", p, c.x.Update) }
func (c client) delete(p *kit.Pod) error { return c.write("Delete", p, c.x.Delete) }

func (c client) write(what string, p *kit.Pod, f func(*kit.Pod) error) error {
	err := conform.Do(c.a, func() error { return f(p) }, "%s(%s)", what, show(p))
	return c.wrote(err, "%s(%s)", what, show(p))
}

// replace is Replace by a list that is newer than the one before.
func (c client) replace(list ...*kit.Pod) error {
	version := 1
	if c.past != nil {
		c.past.lists++
		version = c.past.lists
	}
	return c.replaceAt(strconv.Itoa(version), list...)
}

// replaceAt is replace with a list of that resource version.
func (c client) replaceAt(version string, list ...*kit.Pod) error {
	err := conform.Do(c.a, func() error { return c.x.Replace(list, version) }, "Replace(%v, %q)", showAll(list), version)
	if len(list) > 4 {
		return c.wrote(err, "Replace(%d pods, %q)", len(list), version)
	}
	return c.wrote(err, "Replace([%s], %q)", inOrder(list), version)
}

func (c client) addIndexers(indexers map[string]IndexFunc) error {
	names := slices.Sorted(maps.Keys(indexers))
	err := conform.Do(c.a, func() error { return c.x.AddIndexers(indexers) }, "AddIndexers(%v)", names)
	return c.wrote(err, "AddIndexers(%v)", names)
}

func (c client) get(p *kit.Pod) (*kit.Pod, bool) {
	return found(c, func() (*kit.Pod, bool) { return c.x.Get(p) }, "Get(%s)", kit.Key(p))
}

func (c client) getByKey(key string) (*kit.Pod, bool) {
	return found(c, func() (*kit.Pod, bool) { return c.x.GetByKey(key) }, "GetByKey(%q)", key)
}

func (c client) list() []*kit.Pod {
	call := c.a.Call("List()")
	pods := c.x.List()
	call.Returned("%v", showAll(pods))
	return pods
}

func (c client) listKeys() []string { return conform.Do(c.a, c.x.ListKeys, "ListKeys()") }

func (c client) index(name string, p *kit.Pod) ([]*kit.Pod, error) {
	return lookUp(c, func() ([]*kit.Pod, error) { return c.x.Index(name, p) }, "Index(%q, %s)", name, show(p))
}

func (c client) byIndex(name, value string) ([]*kit.Pod, error) {
	return lookUp(c, func() ([]*kit.Pod, error) { return c.x.ByIndex(name, value) }, "ByIndex(%q, %q)", name, value)
}

func (c client) indexKeys(name, value string) ([]string, error) {
	return conform.Do2(c.a, func() ([]string, error) { return c.x.IndexKeys(name, value) }, "IndexKeys(%q, %q)", name, value)
}

func (c client) values(name string) []string {
	return conform.Do(c.a, func() []string { return c.x.ListIndexFuncValues(name) }, "ListIndexFuncValues(%q)", name)
}

// found makes a call that finds one object or none.
func found(c client, do func() (*kit.Pod, bool), format string, args ...any) (*kit.Pod, bool) {
	call := c.a.Call(format, args...)
	p, ok := do()
	call.Returned("%s, %t", show(p), ok)
	return p, ok
}

// lookUp makes a call that finds objects by an index. They are shown with what they are indexed by.
func lookUp(c client, do func() ([]*kit.Pod, error), format string, args ...any) ([]*kit.Pod, error) {
	call := c.a.Call(format, args...)
	pods, err := do()
	if err != nil {
		call.Returned("%v", err)
	} else {
		call.Returned("%v", showAll(pods))
	}
	return pods, err
}

// expect requires that ByIndex and IndexKeys find exactly the pods want under a value.
func (c client) expect(t *conform.T, name, value string, want ...*kit.Pod) {
	c.expectAfter(t, "", name, value, want...)
}

// expectAfter is expect, with the call after which the index is read: "After Add(…): ". It asks
// both methods before it judges, and says of an answer that is wrong what the other one was.
func (c client) expectAfter(t *conform.T, after, name, value string, want ...*kit.Pod) {
	exists := func(method string, err error) {
		t.Require(err == nil, "%sThe index %q exists, and %s(%q, %q) returned %s. If a value has no objects, it returns none of them and no error.", c.after(after), name, method, name, value, conform.Said(err))
	}
	got, err := c.byIndex(name, value)
	exists("ByIndex", err)
	keys, err := c.indexKeys(name, value)
	exists("IndexKeys", err)
	found := answers{}
	found.add(showAll(want), showAll(got), "ByIndex(%q, %q)", name, value)
	found.add(keysOf(want), sorted(keys), "IndexKeys(%q, %q)", name, value)
	if len(found.wrong) > 0 {
		t.Fatalf("%s%s List returned %v then.", c.after(after), found.text(), showAll(c.list()))
	}
}

// holds requires that exactly the pods want are stored.
func (c client) holds(t *conform.T, want ...*kit.Pod) { c.holdsAfter(t, "", want...) }

// holdsAfter is holds, with the call after which the store is read.
func (c client) holdsAfter(t *conform.T, after string, want ...*kit.Pod) {
	found := answers{}
	found.add(showAll(want), showAll(c.list()), "List")
	found.add(keysOf(want), sorted(c.listKeys()), "ListKeys")
	for _, p := range want {
		got, ok := c.getByKey(kit.Key(p))
		shown := []string{}
		if ok {
			shown = append(shown, show(got))
		}
		found.add([]string{show(p)}, shown, "GetByKey(%q)", kit.Key(p))
	}
	if len(found.wrong) > 0 {
		t.Fatalf("%s%s", c.after(after), found.text())
	}
}

// answers is what several methods answered to one question, in words.
type answers struct{ wrong, right []string }

func (a *answers) add(want, got []string, method string, args ...any) {
	answer := fmt.Sprintf(method, args...) + fmt.Sprintf(" returned %v", legible(got))
	if slices.Equal(want, got) {
		a.right = append(a.right, answer+", which is right.")
		return
	}
	a.wrong = append(a.wrong, answer+fmt.Sprintf(", and it has to return %v.%s", legible(want), strangers(want, got)))
}

// text is the wrong answers, and the right ones where these are few.
func (a *answers) text() string {
	text := strings.Join(a.wrong, " ")
	switch {
	case len(a.right) > 2:
		return text + fmt.Sprintf(" The %d other answers were right.", len(a.right))
	case len(a.right) > 0:
		return text + " " + strings.Join(a.right, " ")
	}
	return text
}

// lists requires that an index has objects under exactly the values want.
func (c client) lists(t *conform.T, name string, want ...string) { c.listsAfter(t, "", name, want...) }

// listsAfter is lists, with the call after which the index is read.
func (c client) listsAfter(t *conform.T, after, name string, want ...string) {
	got := sorted(c.values(name))
	same(t, sorted(want), got, "%sListIndexFuncValues(%q)", c.after(after), name)
}

// same requires that a method has returned exactly what it has to, each once. Both lists are
// sorted.
func same(t *conform.T, want, got []string, method string, args ...any) {
	if !slices.Equal(want, got) {
		t.Fatalf(method+" returned %v, and it has to return %v.%s", append(args, legible(got), legible(want), strangers(want, got))...)
	}
}

// strangers says which lines of got belong into no such result, if there are such.
func strangers(want, got []string) string {
	more := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return slices.Contains(want, s) })
	switch {
	case len(more) > 0:
		return fmt.Sprintf(" Not to be found there: %s.", strings.Join(legible(more), ", "))
	case len(got) > len(want):
		return " Each is to be found once."
	}
	return ""
}

// legible is list or, where one would not see in it how many strings it has, and which, all of them quoted. Pods
// as show has them stay as they are.
func legible(list []string) []string {
	if !slices.ContainsFunc(list, func(s string) bool { return odd(s) && !strings.Contains(s, "@") }) {
		return list
	}
	var all []string
	for _, s := range list {
		all = append(all, strconv.Quote(s))
	}
	return all
}

// odd reports whether s is hard to see in a list.
func odd(s string) bool {
	return s == "" || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) })
}

// must ends the case if a call failed that has no reason to.
func must(t *conform.T, err error) {
	t.Require(err == nil, "A call failed that has no reason to: %v.", err)
}

// pod is a pod at a version, on a node, with tags.
func pod(name string, version int, node string, tags ...string) *kit.Pod {
	return &kit.Pod{
		ObjectMeta: kit.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: strconv.Itoa(version)},
		Spec:       kit.PodSpec{NodeName: node, Tolerations: tags},
	}
}

// show is a pod as it stands in histories and expectations: default/a@3 node-1 [x y].
func show(p *kit.Pod) string {
	if p == nil {
		return "nil"
	}
	s := fmt.Sprint(conform.Show(p))
	if p.Spec.NodeName != "" {
		s += " " + p.Spec.NodeName
	}
	if len(p.Spec.Tolerations) > 0 {
		s += fmt.Sprint(" ", legible(p.Spec.Tolerations))
	}
	return s
}

// inOrder shows pods in their order.
func inOrder(pods []*kit.Pod) string {
	var all []string
	for _, p := range pods {
		all = append(all, show(p))
	}
	return strings.Join(all, ", ")
}

// showAll is pods in the order of their keys: no method promises one.
func showAll(pods []*kit.Pod) []string {
	all := []string{}
	for _, p := range pods {
		all = append(all, show(p))
	}
	slices.Sort(all)
	return all
}

func keysOf(pods []*kit.Pod) []string {
	keys := []string{}
	for _, p := range pods {
		keys = append(keys, kit.Key(p))
	}
	return sorted(keys)
}

// sorted is a sorted copy, and empty rather than nil.
func sorted(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return list
}
