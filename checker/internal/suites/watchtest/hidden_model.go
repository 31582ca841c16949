package watchtest

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var models = []conform.Case[Subject]{
	{
		Name:   "behaves-like-the-model",
		Points: 5,
		Func:   "Watchable.Watch",
		Rule:   "Whatever is committed, and whenever watches begin, are read and are stopped, each brings what a full record of all changes says it must.",
		Why:    "Old versions, sparse versions, small windows and slow readers meet in every cluster sooner or later.",
		Hint: []string{
			"The history is the shortest sequence that was found. Write down the ring after each commit, and the position of each watcher.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"A version n: every change with a version above n, and none up to n, in order",
			"first an Added event for each object that there is",
			"While it is behind by no more than Window it is never cut off.",
			"The first may come at any time after the watch has begun, but not at once.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 120, func(rt *rapid.T, t *conform.T) {
				time.Sleep(patience)
				m := &record{t: t, store: start(t, open(), rapid.IntRange(1, 5).Draw(rt, "window"))}
				for range rapid.IntRange(1, 40).Draw(rt, "steps") {
					m.step(rt)
				}
				m.end()
			})
		},
	},
}

// patience is how much of the model checker's five seconds one try takes. They are
// seconds of this bubble, whose clock stands still unless somebody sleeps.
const patience = 25 * time.Millisecond

// record is a store that remembers everything, and what its watches have to bring.
type record struct {
	*store
	t       *conform.T
	watches []*owed
}

// owed is a watch and what it has still to bring.
type owed struct {
	stream
	namespace string
	initial   []string // in any order
	end       string   // the bookmark after them, "" for none
	live      []string // in this order
	behind    int      // changes since it was read last, of whatever namespace: no fewer than it is behind
}

func (m *record) step(rt *rapid.T) {
	switch n := rapid.IntRange(0, 9).Draw(rt, "step"); {
	case n < 5:
		m.change(rt)
	case n < 7 && len(m.watches) < 4:
		m.begin(rt)
	case n < 9 && len(m.watches) > 0:
		m.read(rapid.IntRange(0, len(m.watches)-1).Draw(rt, "watch"))
	case len(m.watches) > 0:
		i := rapid.IntRange(0, len(m.watches)-1).Draw(rt, "watch")
		m.watches[i].Stop()
		m.watches[i].Rest()
		m.watches = slices.Delete(m.watches, i, i+1)
	}
}

// change commits one change and adds it to what each watch owes.
func (m *record) change(rt *rapid.T) {
	m.stride = uint64(rapid.IntRange(1, 3).Draw(rt, "stride"))
	ns := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "namespace")
	name := rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "name")
	if m.pods[ns+"/"+name] != nil && rapid.IntRange(0, 2).Draw(rt, "delete") == 0 {
		m.delete(m.t.Actor, ns, name)
	} else {
		m.put(m.t.Actor, ns, name)
	}
	m.t.Wait()
	made := m.log[len(m.log)-1]
	for _, w := range m.watches {
		w.behind++
		if w.namespace == "" || w.namespace == ns {
			w.live = append(w.live, made.String())
		}
	}
}

// begin begins a watch from some version, and knows whether it may.
func (m *record) begin(rt *rapid.T) {
	o := kit.ListOptions{Namespace: rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "namespace")}
	version := uint64(rapid.IntRange(0, int(m.version)).Draw(rt, "version"))
	if version > 0 || rapid.Bool().Draw(rt, "zero") {
		o.ResourceVersion = from(version).ResourceVersion
	}
	if rapid.IntRange(0, 3).Draw(rt, "watch list") == 0 {
		o.SendInitialEvents, o.AllowWatchBookmarks = true, true
	}
	w := &owed{namespace: o.Namespace}
	missed := 0
	if version == 0 || o.SendInitialEvents {
		w.initial = m.state(o.Namespace)
		if o.SendInitialEvents {
			w.end = listwatch.Show(kit.Event[*kit.Pod]{Type: kit.Bookmark, Object: mark(m.version)})
		}
	} else {
		w.live = m.after(version, o.Namespace)
		missed = len(m.after(version, ""))
	}
	var err error
	w.stream, err = m.try(m.t.Context(), m.t.Actor, o)
	if missed > 2*m.window {
		m.t.Require(kit.IsResourceExpired(err), "%s came after version %d, and at most twice the window of %d is remembered: by the model a watch from there is refused with Expired, %s.", conform.Count(missed, "change"), version, m.window, outcome(err))
		return
	}
	if missed > m.window && kit.IsResourceExpired(err) {
		return
	}
	m.t.Require(err == nil, "%s came after version %d, and the window is %d: by the model a watch from there begins, and it was refused with %s.", conform.Count(missed, "change"), version, m.window, conform.Said(err))
	w.behind = missed
	m.watches = append(m.watches, w)
}

// read takes all there is. A watch that was more than a window behind may have
// been cut off; then what came must be the beginning of what it owed.
func (m *record) read(i int) {
	w := m.watches[i]
	events, closed := w.Ready(m.t)
	got := listwatch.Texts(events)
	if closed {
		m.t.Require(w.behind > m.window, "A watch was ended that was %d changes behind, with a window of %d: one that is no more than a window behind is never cut off.", w.behind, m.window)
		m.watches = slices.Delete(m.watches, i, i+1)
	} else {
		m.t.Require(len(w.live) <= 4*m.window, "A watch is still open that was %d changes behind, with a window of %d: at four windows it is cut off for certain.", len(w.live), m.window)
	}
	n := min(len(w.initial), len(got))
	if n < len(w.initial) {
		if closed { // it was cut off, and may have come so far as it likes
			listwatch.SameSet(m.t, []string{}, extra(w.initial, got), "A watch began with something other than an Added for each object there was.")
			return
		}
		listwatch.SameSet(m.t, w.initial, got, "A watch did not begin with an Added for each object there was.")
	}
	listwatch.SameSet(m.t, w.initial, got[:n], "A watch did not begin with an Added for each object there was, and only those.")
	got = got[n:]
	want := w.follows()
	if closed { // it was cut off, and may have come so far as it likes
		want = want[:min(len(got), len(want))]
	}
	if !closed && len(got) < len(want) && slices.Equal(want[:len(got)], got) {
		m.t.Fatalf("A watch did not bring the changes since it was read last, each of them and in order. %s was due, and did not come, nor was the ResultChan closed, as it may be if the reader was more than a window of %d behind.", want[len(got)], m.window)
	}
	listwatch.Same(m.t, want, got, "A watch did not bring the changes since it was read last, each of them and in order.")
	w.initial, w.end, w.live, w.behind = nil, "", nil, 0
}

// extra is what of got is not in want.
func extra(want, got []string) []string {
	return slices.DeleteFunc(slices.Clone(got), func(e string) bool { return slices.Contains(want, e) })
}

// follows is what comes after the initial events.
func (w *owed) follows() []string {
	want := []string{}
	if w.end != "" {
		want = append(want, w.end)
	}
	return append(want, w.live...)
}

// end reads what is left of each watch and stops it.
func (m *record) end() {
	for len(m.watches) > 0 {
		w := m.watches[0]
		m.read(0)
		w.Stop()
		w.Rest()
		m.watches = slices.DeleteFunc(m.watches, func(o *owed) bool { return o == w })
	}
}

// mark is the object of the bookmark that ends initial events.
func mark(version uint64) *kit.Pod {
	p := kit.Pods.New()
	p.ResourceVersion = from(version).ResourceVersion
	p.Annotations = map[string]string{kit.InitialEventsEnd: "true"}
	return p
}
