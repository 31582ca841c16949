package watchtest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// wakes comes before the cases that a lost wake-up brings to a deadlock: this one says what it is.
var wakes = []conform.Case[Subject]{
	{
		Name:   "no-wake-up-is-lost",
		Points: 4,
		Func:   "Watchable.Commit",
		Look:   []string{"Watchable.Commit", "Watchable.Watch"},
		Rule:   "A watcher that has caught up sleeps until there is a change, and one that is about to sleep still gets a change that is made at that moment.",
		Why:    "After a lost wake-up a controller does its work only when the next thing happens: at night, an hour later.",
		Hint: []string{
			"Your goroutine has looked and found nothing; now a change is committed; now the goroutine goes to sleep. Who wakes it?",
			"A signal must not be lost when nobody waits for it yet: a channel with room for one token keeps it.",
		},
		Source: "Go sync/cond.go: Cond; client-go util/workqueue/queue.go: Typed.Get",
		Contract: []string{
			"A change is sent as soon as it has been committed and the reader has room for it",
			"a watch with nothing to send sleeps until Commit wakes it, and does not poll.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) { aboutToSleep(t, open()) })
			t.Virtual(func(t *conform.T) { asleep(t, open()) })
		},
	},
}

var concurrent = []conform.Case[Subject]{
	{
		Name:   "begins-at-the-call",
		Points: 5,
		Func:   "Watchable.Watch",
		Rule:   "Once Watch has returned it brings the very next change; what was committed before the call it replays or shows.",
		Why:    "A controller that watches, then creates a pod, waits for the event of that pod. It was committed microseconds after Watch returned.",
		Hint: []string{
			"When does your code decide where the watch begins: in the call, or when its goroutine first runs?",
			"Take the position and register in Watch itself, under the lock, before the go statement.",
		},
		Source: "apiserver pkg/storage/cacher/cacher.go: Cacher.Watch (getAllEventsSinceLocked and addWatcher under one lock)",
		Contract: []string{
			"What options.ResourceVersion says decides where the watch begins, at the moment of the call",
			"When it returns, every List and Watch that begins later knows of the change.",
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 64)
			s.put(t.Actor, "a", "x")
			for i := range 24 {
				o := from(s.version)
				if i%2 == 1 {
					o = kit.ListOptions{}
				}
				before, there := s.version, s.state("")
				w := s.watch(t, o)
				s.put(t.Actor, "a", "x")
				s.put(t.Actor, "a", "y")
				s.delete(t.Actor, "a", "y")
				want := s.after(before, "")
				if i%2 == 1 {
					want = append(there, want...)
				}
				for _, e := range want {
					got, ok := w.Next()
					t.Require(ok, "The watch ended although nothing has ended it: %s was due.", e)
					t.Require(listwatch.Show(got) == e, "%s came where %s was due: Watch was called when the store was at %d, and the watch begins there.", listwatch.Show(got), e, before)
				}
				w.Stop()
				w.Rest()
			}
		},
	},
	{
		Name:   "no-gap-while-writers-write",
		Long:   true,
		Points: 5,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.List", "Watchable.Commit"},
		Rule:   "Watches that begin at any moment, while writers write, bring each change after their beginning once and in order.",
		Why:    "There is no quiet moment in a cluster at which an informer could start.",
		Hint: []string{
			"Between reading the history and joining the live stream, can a change be committed? What brings that one?",
			"Do both under the lock that Commit takes; or have one stream, so that there is nothing to join.",
		},
		Source: "apiserver pkg/storage/cacher/cacher.go: Cacher.Watch (a watch from a list's version sees every later change exactly once)",
		Contract: []string{
			"A version n: every change with a version above n, and none up to n, in order",
			"then every change above that version in order",
			"All methods but Commit may be called from any goroutine.",
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 4096)
			const readers, times, turns = 4, 15, 3
			runs := make([]run, readers*turns)
			for i := range writers { // the pod that each makes at last tells the readers when all is said
				t.Go(fmt.Sprintf("writer %d", i), func(a *conform.Actor) {
					for n := range times {
						name := strconv.Itoa(i*10 + n%3)
						s.put(a, "a", name)
						if n%5 == 4 {
							s.delete(a, "a", name)
						}
					}
					s.put(a, "z", "end-"+strconv.Itoa(i))
				})
			}
			for i := range readers {
				t.Go(fmt.Sprintf("reader %d", i), func(a *conform.Actor) {
					mine := runs[i*turns : (i+1)*turns]
					for k := range mine {
						err := mine[k].start(s, t, a, (i+k)%3)
						if !t.Assert(err == nil, "A call failed that has no reason to fail: %v.", err) {
							return
						}
					}
					for k := range mine {
						err := mine[k].follow()
						if !t.Assert(err == nil, "A watch did not go on to the last change: %v.", err) {
							return
						}
					}
				})
			}
			t.Join()
			for _, r := range runs {
				r.check(t, s)
			}
		},
	},
	{
		Name:   "watchers-share-nothing",
		Points: 5,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.List", "Watchable.Commit"},
		Rule:   "Each watcher and each list gets objects of its own: no other reader can see what one reader writes to its object.",
		Why:    "Two informers in one process get the same change. One sets a default on its pod, and that is a data race with the other.",
		Hint: []string{
			"To how many readers do you send the same pointer?",
			"Type.DeepCopy, for each watcher, where it is sent; no goroutine may write to the object that Commit got.",
		},
		Source: "apiserver pkg/storage/cacher/cache_watcher.go: getMutableObject",
		Contract: []string{
			"Objects that List and watches deliver are copies: no two callers ever get the same memory, and no caller gets the object that Commit got.",
			"The object is read-only from the call on, to both sides.",
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			start(t, open(), 64).apart(t, bare)
			readDuringCommit(t, open())
			start(t, open(), 64).apart(t, "x")
			s := start(t, open(), 64)
			s.put(t.Actor, "a", "x")
			const changes = 8
			for i := range 4 {
				o := from(1)
				if i%2 == 1 {
					o = kit.ListOptions{ResourceVersion: "0", SendInitialEvents: true, AllowWatchBookmarks: true}
				}
				w := s.watch(t, o)
				t.Go(fmt.Sprintf("reader %d", i), func(a *conform.Actor) {
					for range changes {
						e, ok := w.As(a).Next()
						if !t.Assert(ok, "The watch ended although nothing has ended it.") {
							return
						}
						scribble(e.Object)
						list, err := s.list(t.Context(), a, kit.ListOptions{})
						if !t.Assert(err == nil, "List failed: %v.", err) {
							return
						}
						for _, p := range list.Items {
							scribble(p)
						}
					}
					w.As(a).Stop()
				})
			}
			s.puts(t.Actor, changes, "a", "x")
			t.Join()
			list, err := s.list(t.Context(), t.Actor, kit.ListOptions{})
			t.Require(err == nil, "List failed: %v.", err)
			t.Require(len(list.Items) == 1, "The list has %s, and there is one, a/x.", conform.Count(len(list.Items), "object"))
			same(t, s.pods["a/x"], list.Items[0], "Readers wrote into their own objects, and that has got into the Watchable")
		},
	},
}

// aboutToSleep commits a change as soon as watchers have got all there was.
func aboutToSleep(t *conform.T, subject Subject) {
	s := start(t, subject, 64)
	var all []stream
	for range 4 {
		all = append(all, s.watch(t, from(1)))
	}
	for range 30 {
		before := s.version
		s.puts(t.Actor, 1+t.Rand().IntN(3), "a", "x")
		for _, w := range all {
			for _, want := range s.after(before, "") {
				e, ok := w.Next()
				t.Require(ok, "The watch ended although nothing has ended it: %s was due.", want)
				t.Require(listwatch.Show(e) == want, "A watch did not bring the change that was made: %s came where %s was due.", listwatch.Show(e), want)
			}
		}
	}
	for _, w := range all {
		w.Stop()
		w.Rest()
	}
}

// asleep requires that nothing of the subject runs while nothing is committed. It begins with a
// short time, so that a watch that polls often is found out soon.
func asleep(t *conform.T, subject Subject) {
	s := start(t, subject, 64)
	s.put(t.Actor, "a", "x")
	all := []stream{s.watch(t, from(s.version)), s.watch(t, from(1))}
	all[1].Expect(t, s.after(1, ""), "A watch did not bring the change that there was.")
	for _, quiet := range []time.Duration{time.Minute, time.Hour} {
		before := probe.Wakeups()
		time.Sleep(quiet)
		woken, polled := probe.Woken(before)
		t.Require(!polled, "Nothing was committed for %v, and about %d times something of two watches woke up to look: a watch with nothing to send sleeps until Commit wakes it.", quiet, woken)
	}
	before := s.version
	s.put(t.Actor, "a", "x")
	for _, w := range all {
		w.Expect(t, s.after(before, ""), "A watch that had slept for an hour did not bring the change that was made.")
		w.Stop()
	}
}

// apart has two readers of each kind get the same events, has the one write to its objects,
// and looks at those of the other and at what Commit got. There are three objects, the first of the given name.
func (s *store) apart(t *conform.T, name string) {
	s.copying = true
	for _, name := range []string{name, "second", "third"} {
		s.put(t.Actor, "a", name)
	}
	pair := func(o kit.ListOptions) [2]stream { return [2]stream{s.watch(t, o), s.watch(t, o)} }
	in := func(ns, version string) kit.ListOptions {
		return kit.ListOptions{Namespace: ns, ResourceVersion: version}
	}
	there, newest := len(s.pods), from(s.version).ResourceVersion
	live := [][2]stream{pair(in("", newest)), pair(in("a", newest))}
	s.put(t.Actor, "a", "y")
	s.put(t.Actor, "a", "y")
	s.delete(t.Actor, "a", "y")
	for i, ns := range []string{"", "a"} {
		readApart(t, live[i], 3)
		readApart(t, pair(in(ns, "1")), there+3)
		readApart(t, pair(in(ns, "")), there)
		for _, version := range []string{"", newest} {
			o := in(ns, version)
			o.SendInitialEvents, o.AllowWatchBookmarks = true, true
			readApart(t, pair(o), there+1)
		}
		for _, version := range []string{"", "0", newest} {
			s.listApart(t, in(ns, version))
		}
	}
	for _, pods := range s.handed {
		same(t, pods[1], pods[0], "The object that Commit got is read-only from then on, and it was written to, by the Watchable or by a reader who got it")
	}
}

// readApart reads n events of two watches that bring the same, the first of them in any order.
func readApart(t *conform.T, pair [2]stream, n int) {
	var events [2][]kit.Event[*kit.Pod]
	for i, w := range pair {
		for range n {
			e, ok := w.Next()
			if !ok || e.Object == nil {
				t.Fatalf("A watch ended that nothing has ended, or brought an event without an object.")
			}
			events[i] = append(events[i], e)
		}
		w.Stop()
		slices.SortFunc(events[i], func(a, b kit.Event[*kit.Pod]) int { return strings.Compare(listwatch.Show(a), listwatch.Show(b)) })
	}
	for i, one := range events[0] {
		unshared(t, one.Object, events[1][i].Object, "Two watches brought "+listwatch.Show(one))
	}
}

// listApart lists twice.
func (s *store) listApart(t *conform.T, o kit.ListOptions) {
	var lists [2][]*kit.Pod
	for i := range lists {
		list, err := s.list(t.Context(), t.Actor, o)
		t.Require(err == nil, "List returned %s.", conform.Said(err))
		lists[i] = list.Items
		t.Require(len(list.Items) == len(s.pods), "There are %d objects, all in namespace a, and a list of namespace %q has %d.", len(s.pods), o.Namespace, len(list.Items))
		slices.SortFunc(lists[i], func(a, b *kit.Pod) int { return strings.Compare(a.Name, b.Name) })
	}
	for i, one := range lists[0] {
		unshared(t, one, lists[1][i], fmt.Sprintf("Two lists of namespace %q from version %q have %s", o.Namespace, o.ResourceVersion, kit.Key(one)))
	}
}

// readDuringCommit has the store's side read an object while Commit gets it.
func readDuringCommit(t *conform.T, subject Subject) {
	s := start(t, subject, 64)
	p := kit.Pods.New()
	p.Namespace, p.Name, p.ResourceVersion = "a", "x", "2"
	t.Go("reader of the store", func(a *conform.Actor) {
		a.Do(func() { p.DeepCopy() }, "read a/x@2, which Commit gets")
	})
	t.Actor.Do(func() { s.source.Commit(kit.Event[*kit.Pod]{Type: kit.Added, Object: p}) }, "Commit(ADDED a/x@2)")
	t.Join()
}

// unshared writes to an object and requires that another does not show it.
func unshared(t *conform.T, one, other *kit.Pod, what string) {
	before := other.DeepCopy()
	scribble(one)
	same(t, before, other, what+", the first reader wrote to its object, and that shows in the other's")
}

// scribble writes to the parts of p that could be shared.
func scribble(p *kit.Pod) {
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	p.Labels["app"] = "scribbled"
	if p.Annotations == nil {
		p.Annotations = map[string]string{}
	}
	p.Annotations["note"] = "scribbled"
	p.ResourceVersion = "1"
	for i := range p.Spec.Tolerations {
		p.Spec.Tolerations[i] = "scribbled"
	}
}

// writers is how many write at once in no-gap-while-writers-write.
const writers = 3

// run is what one reader saw of one watch.
type run struct {
	way     string   // what it is, in a sentence
	begin   uint64   // the version it began at
	initial []string // what there was then
	live    []string

	stream
	list bool // a watch list, whose beginning is still to come
	end  bool // a watch list, whose beginning has come
}

// start begins a watch, in one of three ways.
func (r *run) start(s *store, t *conform.T, a *conform.Actor, way int) error {
	o := kit.ListOptions{}
	r.way = []string{"watch after a list", "watch from version 1", "watch list"}[way]
	switch way {
	case 0: // list, then watch
		list, err := s.list(t.Context(), a, from(1)) // any list is new enough
		if err != nil {
			return err
		}
		for _, p := range list.Items {
			r.initial = append(r.initial, listwatch.Show(kit.Event[*kit.Pod]{Type: kit.Added, Object: p}))
		}
		o.ResourceVersion = list.ResourceVersion
		if r.begin, err = strconv.ParseUint(list.ResourceVersion, 10, 64); err != nil {
			return err
		}
	case 1: // from the very first
		o.ResourceVersion, r.begin = "1", 1
	case 2: // a watch list
		o.SendInitialEvents, o.AllowWatchBookmarks = true, true
	}
	var err error
	r.list = way == 2
	r.stream, err = s.try(t.Context(), a, o)
	return err
}

// follow reads until nothing is still to come: each writer ends with a pod of its own.
func (r *run) follow() error {
	defer r.Stop()
	ends := map[string]bool{}
	for _, e := range r.initial {
		count(ends, e)
	}
	for r.list || len(ends) < writers {
		switch e, ok := <-r.Watch.ResultChan(); {
		case !ok:
			return fmt.Errorf("the watch ended although nothing has ended it")
		case e.Type == kit.Bookmark && e.Object.Annotations[kit.InitialEventsEnd] == "true":
			n, err := strconv.ParseUint(e.Object.ResourceVersion, 10, 64)
			if err != nil {
				return err
			}
			r.begin, r.list, r.end = n, false, true
		case e.Type == kit.Bookmark:
		default:
			event := listwatch.Show(e)
			count(ends, event)
			if r.list {
				r.initial = append(r.initial, event)
			} else {
				r.live = append(r.live, event)
			}
		}
	}
	return nil
}

// count notes the last pod of a writer.
func count(ends map[string]bool, event string) {
	if i := strings.Index(event, " z/end-"); i >= 0 {
		ends[event[i:strings.LastIndex(event, "@")]] = true
	}
}

// check compares with what the store has committed.
func (r *run) check(t *conform.T, s *store) {
	state := map[string]string{}
	for _, c := range s.log {
		if c.version <= r.begin {
			state[c.key] = change{what: kit.Added, key: c.key, version: c.version}.String()
			if c.what == kit.Deleted {
				delete(state, c.key)
			}
		}
	}
	shown := "A list names version %d, and does not show what there was at that version."
	if r.end {
		shown = "The bookmark that ends the initial events of a watch list names version %d, and they do not show what there was at that version."
	}
	listwatch.SameSet(t, slices.Collect(maps.Values(state)), r.initial, shown, r.begin)
	listwatch.Same(t, s.after(r.begin, ""), r.live, "A %s that began at version %d did not bring each later change once and in order.", r.way, r.begin)
}
