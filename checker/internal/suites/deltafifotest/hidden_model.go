package deltafifotest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var models = []conform.Case[Subject]{
	{
		Name:   "cache-follows-the-server",
		Long:   true,
		Points: 5,
		Func:   "DeltaFIFO.Pop",
		Look:   []string{"DeltaFIFO.Replace", "DeltaFIFO.Resync", "DeltaFIFO.Delete"},
		Rule:   "A cache that does what the deltas say ends up equal to what the reflector reported, whichever goroutines list, watch, resync and pop at once. And it needs no lock.",
		Why:    "This is the purpose of the queue. An object that stays in the cache after it is gone, or an old state that comes back, stays until the next list, which may be days away.",
		Hint: []string{
			"Which of your methods read fields, or ask the known objects, before they lock?",
			"Resync and Delete ask the known objects, and process changes them. All of that has to happen under the lock.",
		},
		Source: "kubernetes#27004, kubernetes#40815; client-go tools/cache/delta_fifo.go: knownObjects (is safe because process runs under lock)",
		Contract: []string{
			"process can bring the known objects in step with the deltas before any other goroutine looks at either",
			"a cache that only process changes needs no lock of its own",
			"Replace says that the objects of list are all there are, none if it is nil or empty. In one step",
			"Every method may be called from any goroutine.",
			"It is false at first, and once it is true it stays true",
			"If Replace is the first call, it becomes true when as many keys have been popped since as Replace left pending",
			"If Add, Update or Delete is the first call, that call makes it true",
			"Delete queues a Deleted delta, if the key of obj is pending or known",
			"While nothing is pending, it waits",
			"Resync queues a Sync delta for every known object whose key is not pending, in any order. A pending key needs none",
			"Like Replace, Resync does all of this in one step",
			"A key that becomes pending goes to the tail of the queue",
		},
		Check: func(t *conform.T, open func() Subject) {
			for range 5 {
				replaceIsOneStep(t, open())
				resyncIsOneStep(t, open())
				resyncSeesOneMoment(t, open())
				deleteIsOneStep(t, open())
			}
			firstAtOnce(t, open())
			askedAsTheListEnds(t, open())
			t.Copies(func(t *conform.T) {
				known, server := cache{}, cache{}
				c := start(t, open(), known)
				var closing, early atomic.Bool
				for range 2 {
					t.Go("consumer", func(a *conform.Actor) {
						follow(c.as(a), known)
						if !closing.Load() {
							a.Breaks("Pop returned an error before Close was called")
							early.Store(true)
						}
					})
				}
				t.Go("resync timer", func(a *conform.Actor) {
					for range 60 {
						_ = c.as(a).resync()
						runtime.Gosched() // so that others get in between, on one processor too
					}
				})
				t.Go("controller", func(a *conform.Actor) { // which asks before it starts
					for range 60 {
						c.as(a).hasSynced()
						runtime.Gosched()
					}
				})
				rng := rand.New(rand.NewPCG(t.Seed(), 0))
				for version := range 120 {
					must(t, happen(c, server, rng, version))
					runtime.Gosched()
				}
				closing.Store(true)
				c.close()
				t.Join()
				t.Require(!early.Load(), "Pop returned an error before Close was called: while nothing is pending, it waits.")
				t.Same(versions(server), versions(known), "Everything was popped, and the cache that did what the deltas say is not what the reflector has reported. In the cache, by name")
			})
		},
	},
	{
		Name:   "behaves-like-the-model",
		Points: 5,
		Func:   "DeltaFIFO.Pop",
		Look:   []string{"DeltaFIFO.Pop", "the step that appends a delta to those of its key"},
		Rule:   "Any sequence of calls pops what a simple model of the contract pops.",
		Why:    "The rules meet: a list after a deletion after a list, a process that failed. Some cluster finds the combination every week.",
		Hint: []string{
			"This is the shortest failing history that was found. Follow it by hand: which rule decides its last line?",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"A key is pending from its first delta until Pop takes it, with all of its deltas",
			"A key that becomes pending goes to the tail of the queue",
			"isInInitialList is true if HasSynced was false when this Pop took the key",
			"If Add, Update or Delete is the first call, that call makes it true, even a Delete that queues nothing",
			"It merges or drops no other deltas",
			"The resource version is not used",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			model.Check(t, 150, func(rt *rapid.T, t *conform.T) {
				m := &naive{t: t, items: map[string]kit.Deltas[*kit.Pod]{}}
				if rapid.IntRange(0, 3).Draw(rt, "known objects") > 0 {
					m.known = cache{}
				}
				m.c = start(t, s, m.known)
				for range rapid.IntRange(1, 25).Draw(rt, "calls") {
					m.step(rt)
					got := m.c.hasSynced()
					t.Require(got == m.synced(), "HasSynced is %t, and in the model %t: %s.", got, m.synced(), m.why())
				}
				for len(m.queue) > 0 {
					m.pop(false)
				}
				m.c.end(t)
			})
			nothingIsLost(t, s)
			noDeltaIsLost(t, s)
		},
	},
}

// replaceIsOneStep has a Replace and two consumers come one after the other. If Replace gives the lock
// back in the middle, both consumers get in there. Whatever the order, a Pop that saw the list must
// not be followed by one that did not.
func replaceIsOneStep(t *conform.T, s Subject) {
	c := start(t, s, nil)
	for _, name := range []string{"first", "second", "listed", "missing"} {
		must(t, c.add(pod(name, 1)))
	}
	var mu sync.Mutex // guards popped
	var popped []string
	note := func(d kit.Deltas[*kit.Pod]) {
		mu.Lock()
		defer mu.Unlock()
		popped = append(popped, d[0].Object.Name+": "+strings.Join(render(d), ", "))
	}
	pop := func(a *conform.Actor) { popWith(c.as(a), note) }
	duringTwoPops(t, c, note, func(a *conform.Actor) { longList(a, c) }, pop, pop)
	allOrNothing(t, popped)
	c.close()
}

// resyncIsOneStep has a Resync, an Update and a consumer come one after the other. If Resync gives the
// lock back between its look at the known objects and what it queues, the other two get in there.
func resyncIsOneStep(t *conform.T, s Subject) {
	known := holding(pod("k", 1))
	c := start(t, s, known)
	for _, name := range []string{"first", "second"} {
		must(t, c.add(pod(name, 1)))
	}
	duringTwoPops(t, c, known.apply,
		func(a *conform.Actor) { _ = c.as(a).resync() },
		func(a *conform.Actor) { _ = c.as(a).update(pod("k", 2)) },
		func(a *conform.Actor) { popWith(c.as(a), known.apply) })
	c.close()
	follow(c, known)
	got := show(known[kit.Key(pod("k", 2))])
	t.Require(got == "k@2", "k@1 was known, and Resync, Update(k@2) and Pop were called by three goroutines. Everything has been popped, and in the cache that did what the deltas say is %s, and not k@2. Resync queues the known object if its key is not pending: both have to hold at one moment, or an old state comes back.", got)
}

// resyncSeesOneMoment has a Resync, a consumer and an Add come one after the other. If Resync gives the lock back
// between its list of the known keys and what it queues, the other two get in there. The places in the
// queue tell whether Resync came behind Add, and the transformer sees what was known then.
func resyncSeesOneMoment(t *conform.T, s Subject) {
	known := holding(pod("k", 1))
	var before []string // what was known when late was added
	c := startWith(t, s, Options{KnownObjects: known, Transformer: func(p *kit.Pod) (*kit.Pod, error) {
		if p.Name == "late" {
			for _, key := range known.ListKeys() {
				before = append(before, show(known[key]))
			}
		}
		return p, nil
	}})
	for _, name := range []string{"first", "second", "third"} {
		must(t, c.add(pod(name, 1)))
	}
	duringTwoPops(t, c, known.apply,
		func(a *conform.Actor) { _ = c.as(a).resync() },
		func(a *conform.Actor) { popWith(c.as(a), known.apply) },
		func(a *conform.Actor) { _ = c.as(a).add(pod("late", 1)) })
	c.close()
	left := strings.Join(c.rest(t), " ")
	if strings.Index(left, "Sync k@1") < strings.Index(left, "Added late@1") {
		return // Resync came before Add, if it came to k at all
	}
	for _, p := range before {
		t.Require(strings.Contains(left, "Sync "+p), "Resync, Pop and Add(late@1) were called by three goroutines. Left in the queue were then, in order, %s. Sync k@1 stands behind late, so Resync came after that Add, and when late was added, %s was known and not pending. It has no Sync delta: Resync queues one for every known object whose key is not pending, and does all of this in one step.", left, p)
	}
}

// firstAtOnce makes the first calls of many queues in goroutines of their own. Whichever comes first,
// HasSynced is true when all has been popped.
func firstAtOnce(t *conform.T, s Subject) {
	const rounds = 40
	call := t.Call("%d times: New, then Add, Update, Delete, Replace, Resync and HasSynced at once, in a goroutine each", rounds)
	for n := range rounds {
		q := s.New(Options{KnownObjects: holding(pod("k", 1))})
		calls := []func(){
			func() { _ = q.Replace([]*kit.Pod{pod("a", 1), pod("b", 1)}, "1") },
			func() { _ = q.Add(pod("a", 2)) },
			func() { _ = q.Update(pod("b", 2)) },
			func() { _ = q.Delete(pod("k", 2)) },
			func() { _ = q.Resync() },
			func() { q.HasSynced() },
		}
		var all sync.WaitGroup
		for i := range calls {
			all.Go(calls[(i+n)%len(calls)]) // another one begins each time
		}
		all.Wait()
		q.Close()
		for err := error(nil); err == nil; {
			_, err = q.Pop(func(kit.Deltas[*kit.Pod], bool) error { return nil })
		}
		t.Require(q.HasSynced(), "Add, Update, Delete, Replace and Resync were called at once on a new queue, everything has been popped since, and HasSynced is false. Whichever of these calls was the first one, nothing is left for which it waits.")
	}
	call.Returned("")
}

// popWith pops one key with a process that only sees its deltas.
func popWith(c client, see func(d kit.Deltas[*kit.Pod])) {
	_, _ = c.pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
		see(d)
		return nil
	})
}

// duringTwoPops has calls wait, one behind the other, while a consumer is in process twice. By then they
// have waited for so long that a sync.Mutex hands itself on in the order in which they came; other
// locks do so at once, and then the second of the two Pops comes behind the calls.
func duringTwoPops(t *conform.T, c client, see func(d kit.Deltas[*kit.Pod]), calls ...func(a *conform.Actor)) {
	inProcess, goOn := make(chan struct{}, 2), make(chan struct{})
	t.Go("first consumer", func(a *conform.Actor) {
		for range 2 {
			popWith(c.as(a), func(d kit.Deltas[*kit.Pod]) {
				see(d)
				inProcess <- struct{}{}
				<-goOn
			})
		}
	})
	<-inProcess
	for _, call := range calls {
		t.Go("another goroutine", call)
		t.Wait()
	}
	goOn <- struct{}{}
	t.Wait()
	goOn <- struct{}{}
	t.Join()
}

// longList calls Replace with so many objects that some would queue them in parts.
func longList(a *conform.Actor, c client) {
	const fresh = 150
	list := []*kit.Pod{pod("listed", 2)}
	for n := range fresh {
		list = append(list, pod(fmt.Sprintf("new-%d", n), 2))
	}
	_ = conform.Do(a, func() error { return c.q.Replace(list, "1") }, "Replace(listed@2 and %d new objects)", fresh)
}

// allOrNothing requires that no Pop missed what the Pop before it had seen of a Replace.
func allOrNothing(t *conform.T, popped []string) {
	seen := false
	for _, line := range popped {
		listed := strings.Contains(line, "Replaced") || strings.Contains(line, "Tombstone")
		t.Require(listed || !seen, "Replace is one step, and one Pop saw what it had queued while the Pop after it did not. In the order of the calls of process: %v.", popped)
		seen = listed
	}
}

// versions are the objects of a cache by name.
func versions(c cache) map[string]string {
	out := map[string]string{}
	for _, p := range c {
		out[p.Name] = p.ResourceVersion
	}
	return out
}

// follow keeps known in step with the queue until that is closed.
func follow(c client, known cache) {
	for {
		_, err := c.pop(func(d kit.Deltas[*kit.Pod], _ bool) error {
			known.apply(d)
			return nil
		})
		if err != nil {
			return
		}
	}
}

// happen lets something happen on the server and tells the queue of it, as a watch
// does, or lets much happen and lists.
func happen(c client, server cache, rng *rand.Rand, version int) error {
	name := string(rune('a' + rng.IntN(4)))
	p := pod(name, version)
	_, exists := server[kit.Key(p)]
	switch n := rng.IntN(8); {
	case n == 0: // the watch was broken meanwhile
		for other := range 4 {
			missed := pod(string(rune('a'+other)), version)
			delete(server, kit.Key(missed))
			if rng.IntN(2) == 0 {
				server[kit.Key(missed)] = missed
			}
		}
		return c.replace(slices.Collect(maps.Values(server))...)
	case !exists:
		server[kit.Key(p)] = p
		return c.add(p)
	case n < 4:
		delete(server, kit.Key(p))
		return c.delete(p)
	}
	server[kit.Key(p)] = p
	return c.update(p)
}

// naive is the contract in its simplest form, for one caller.
type naive struct {
	t       *conform.T
	c       client
	known   cache // nil if the queue has none
	items   map[string]kit.Deltas[*kit.Pod]
	queue   [][]string // keys by the step in which they became pending, if the order in it is open
	begun   bool
	first   string // the call that made begun true
	initial int
	version int
}

func (m *naive) synced() bool { return m.begun && m.initial == 0 }

// why says on what HasSynced stands.
func (m *naive) why() string {
	switch {
	case !m.begun:
		return "no Replace, Add, Update or Delete was called yet"
	case m.initial > 0:
		return fmt.Sprintf("%d keys of the first Replace are still to be popped", m.initial)
	}
	if m.first != "Replace" {
		return m.first + " was the first call, which makes HasSynced true"
	}
	return "Replace was the first call, and no key that it left pending is still to be popped"
}

// step makes one call and has the model do the same.
func (m *naive) step(rt *rapid.T) {
	m.version++
	p := pod(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "name"), m.version)
	switch rapid.IntRange(0, 8).Draw(rt, "call") {
	case 0:
		must(m.t, m.c.add(p))
		m.begin("Add")
		m.observe(kit.DeltaAdded, p)
	case 1:
		must(m.t, m.c.update(p))
		m.begin("Update")
		m.observe(kit.DeltaUpdated, p)
	case 2, 3:
		must(m.t, m.c.delete(p))
		m.begin("Delete")
		m.delete(p)
	case 4:
		var list []*kit.Pod
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3).Draw(rt, "list") {
			list = append(list, pod(name, m.version))
		}
		must(m.t, m.c.replace(list...))
		m.replace(list)
	case 5:
		must(m.t, m.c.resync())
		m.resync()
	default:
		if len(m.queue) > 0 {
			m.pop(rapid.IntRange(0, 4).Draw(rt, "process fails") == 0)
		}
	}
}

// begin says that a call was made which may be the first one.
func (m *naive) begin(call string) {
	if !m.begun {
		m.begun, m.first = true, call
	}
}

func (m *naive) observe(what kit.DeltaType, p *kit.Pod) {
	m.push([]kit.Delta[*kit.Pod]{{Type: what, Object: p}})
}

func (m *naive) delete(p *kit.Pod) {
	if m.items[kit.Key(p)] != nil || m.known[kit.Key(p)] != nil {
		m.observe(kit.DeltaDeleted, p)
	}
}

func (m *naive) replace(list []*kit.Pod) {
	listed := map[string]bool{}
	for _, p := range list {
		listed[kit.Key(p)] = true
		m.push([]kit.Delta[*kit.Pod]{{Type: kit.DeltaReplaced, Object: p}})
	}
	last := maps.Clone(m.known)
	if last == nil {
		last = cache{}
	}
	for key, deltas := range m.items {
		last[key] = deltas[len(deltas)-1].Object
	}
	var missing []kit.Delta[*kit.Pod]
	for key, p := range last {
		if !listed[key] {
			missing = append(missing, kit.Delta[*kit.Pod]{Type: kit.DeltaDeleted, Object: p, FinalStateUnknown: true})
		}
	}
	m.push(missing)
	if !m.begun {
		m.begin("Replace")
		m.initial = len(m.items)
	}
}

func (m *naive) resync() {
	var idle []kit.Delta[*kit.Pod]
	for key, p := range m.known {
		if m.items[key] == nil {
			idle = append(idle, kit.Delta[*kit.Pod]{Type: kit.DeltaSync, Object: p})
		}
	}
	m.push(idle)
}

// push appends deltas. Keys that become pending by one push do so in any order.
func (m *naive) push(deltas []kit.Delta[*kit.Pod]) {
	var fresh []string
	for _, d := range deltas {
		key := kit.Key(d.Object)
		old := m.items[key]
		last := len(old) - 1
		switch {
		case last < 0:
			fresh = append(fresh, key)
			m.items[key] = kit.Deltas[*kit.Pod]{d}
		case d.Type != kit.DeltaDeleted || old[last].Type != kit.DeltaDeleted:
			m.items[key] = append(old, d)
		case old[last].FinalStateUnknown:
			old[last] = d
		}
	}
	if len(fresh) > 0 {
		m.queue = append(m.queue, fresh)
	}
}

func (m *naive) pop(fails bool) {
	var initial bool
	deltas, err := m.c.pop(func(d kit.Deltas[*kit.Pod], isInInitialList bool) error {
		initial = isInInitialList
		if fails {
			return errProcess
		}
		if m.known != nil {
			m.known.apply(d)
		}
		return nil
	})
	if fails {
		m.t.Require(err == errProcess, "The call of process returned its own error, and Pop returned %s, and not that very error.", conform.Said(err))
	} else {
		m.t.Require(err == nil, "The call of process returned no error, and Pop returned %s.", conform.Said(err))
	}
	m.t.Require(len(deltas) > 0, "In the model %d keys are pending, and Pop returned no deltas.", len(m.items))
	m.t.Require(deltas[0].Object != nil, "Pop returned %v, a delta without its object.", render(deltas))
	key := kit.Key(deltas[0].Object)
	m.t.Require(slices.Contains(m.queue[0], key), "Pop took %s, and at the head of the model's queue is one of %v: a key goes to the tail when it becomes pending, and keeps its place.", key, m.queue[0])
	same(m.t, render(deltas), render(m.items[key]), "in the model these are pending for "+key+", and of two deletions that stand directly together one is kept")
	m.t.Require(initial == !m.synced(), "For %s process got isInInitialList %t, and in the model HasSynced was %t when Pop took the key.", key, initial, m.synced())
	m.queue[0] = slices.DeleteFunc(m.queue[0], func(k string) bool { return k == key })
	if len(m.queue[0]) == 0 {
		m.queue = m.queue[1:]
	}
	delete(m.items, key)
	m.initial = max(0, m.initial-1)
}
