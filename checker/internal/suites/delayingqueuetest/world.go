package delayingqueuetest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// world is a subject over a plain queue, and beside it a delaying queue at its most obvious:
// a table of moments.
type world struct {
	queues.DelayingClient
	t     *conform.T
	queue kit.DelayingQueue[string]
	under *queues.Plain

	moments map[string]time.Duration   // of the items that wait
	loose   map[string]time.Duration   // of those that were added directly meanwhile: a moment may still count
	want    []queues.Addition          // what has come due
	asked   map[queues.Addition]asking // the calls that moments follow from
	broken  bool                       // an item missed its moment, and the history says so
	held    string                     // a worker has this item in hand, if it is not empty

	// What has been added is set against want by count: what was added too often or not at all is left over.
	over       map[queues.Addition]int
	seen, owed int // how many of either are counted
}

// asking is a call that asked for an item at a moment.
type asking struct {
	item  string
	delay time.Duration
	at    time.Duration // of the call
	add   bool          // it was Add
}

func (a asking) String() string {
	if a.add {
		return fmt.Sprintf("Add(%q) was called at %v", a.item, a.at)
	}
	return fmt.Sprintf("AddAfter(%q, %v) was called at %v", a.item, a.delay, a.at)
}

// start makes a subject over a new queue.
func start(t *conform.T, s Subject) *world {
	return over(t, s, func(q *queues.Plain) kit.Queue[string] { return q })
}

// over makes a subject over what other makes of a new queue.
func over(t *conform.T, s Subject, other func(q *queues.Plain) kit.Queue[string]) *world {
	under := queues.NewPlain(t)
	call := t.Call("New(q)")
	q := s.New(other(under))
	call.Returned("")
	return &world{
		DelayingClient: queues.CallingDelaying(t.Actor, q), t: t, queue: q, under: under,
		moments: map[string]time.Duration{}, loose: map[string]time.Duration{}, asked: map[queues.Addition]asking{},
		over: map[queues.Addition]int{},
	}
}

// works is start, and a first item that is delayed, comes and is worked on: with a queue that does
// nothing, the rest of a case would prove nothing.
func works(t *conform.T, s Subject) *world {
	w := start(t, s)
	w.later("first", time.Second)
	w.elapse(2 * time.Second)
	w.Expect(t, "first")
	w.Done("first")
	return w
}

// stall has the queue underneath be slow to add an item, for a second so far, and until release is
// called.
func (w *world) stall() (release func()) {
	release = w.under.Hold("slow")
	w.AddAfter("slow", time.Second)
	time.Sleep(2 * time.Second)
	return release
}

// later calls AddAfter, and notes the moment that was asked for, if it is the earliest.
func (w *world) later(item string, delay time.Duration) {
	at := w.t.Elapsed() + delay
	if at < 0 {
		at = math.MaxInt64 // there is no later one
	}
	if known, waits := w.moments[item]; !waits || at < known {
		w.moments[item] = at
		w.asked[queues.Addition{Item: item, At: at}] = asking{item, delay, w.t.Elapsed(), false}
	}
	w.AddAfter(item, delay)
}

// directly adds an item at once, with AddAfter or with Add. If it was waiting, whether its moment
// still counts is left open.
func (w *world) directly(item string, add bool) {
	now := queues.Addition{Item: item, At: w.t.Elapsed()}
	w.want = append(w.want, now)
	if at, waits := w.moments[item]; waits {
		w.loose[item] = at
		delete(w.moments, item)
	}
	w.asked[now] = asking{item, 0, now.At, add}
	if add {
		w.Add(item)
		return
	}
	w.AddAfter(item, 0)
}

// elapse lets time pass, and requires that by then each item was added at its moment and
// at no other. The first that was not is marked at the moment that it missed.
func (w *world) elapse(d time.Duration) {
	for end := w.t.Elapsed() + d; ; {
		next := end
		for _, waiting := range []map[string]time.Duration{w.moments, w.loose} {
			for at := range maps.Values(waiting) {
				next = min(next, at)
			}
		}
		time.Sleep(next - w.t.Elapsed())
		w.t.Wait()
		w.come()
		w.mark()
		if next == end {
			break
		}
	}
	if len(w.over) == 0 {
		return
	}
	for _, item := range w.items() {
		if wrong := w.compare(item, w.added(item), timesOf(item, w.want)); wrong != "" {
			w.t.Fatalf("%s%s", wrong, w.others(item))
		}
	}
}

// others says of the items besides this one which were added at their moments, and which were not.
func (w *world) others(item string) string {
	var right, wrong []string
	for _, other := range w.items() {
		got, want := w.added(other), timesOf(other, w.want)
		switch {
		case other == item:
		case slices.Equal(got, want):
			right = append(right, cmp.Or(other, `""`))
		default:
			wrong = append(wrong, fmt.Sprintf("%s %s, not %s", cmp.Or(other, `""`), moments(got), moments(want)))
		}
	}
	if len(right)+len(wrong) == 0 {
		return ""
	}
	return fmt.Sprintf(" The others, right: %s; wrong: %s.", conform.Listed(right), conform.Listed(wrong))
}

// moments are times as a list has them.
func moments(at []time.Duration) string {
	if len(at) == 0 {
		return "never"
	}
	return strings.Trim(fmt.Sprint(at), "[]")
}

// came says when something was added, as the end of a sentence. how stands behind the verb.
func came(at []time.Duration, how string) string {
	if len(at) == 0 {
		return "never added" + how
	}
	return "added" + how + " at " + moments(at)
}

// come makes what has come due what should have been added.
func (w *world) come() {
	for item, at := range w.moments {
		if at <= w.t.Elapsed() {
			w.want = append(w.want, queues.Addition{Item: item, At: at})
			delete(w.moments, item)
		}
	}
	w.settle()
	for item, at := range w.loose {
		if at > w.t.Elapsed() {
			continue
		}
		delete(w.loose, item)
		if a := (queues.Addition{Item: item, At: at}); w.over[a] > 0 {
			w.want = append(w.want, a) // it counts here
		}
	}
	w.settle()
}

// settle counts what has been added, and what should have been, since it was called last.
func (w *world) settle() {
	count := func(a queues.Addition, by int) {
		if w.over[a] += by; w.over[a] == 0 {
			delete(w.over, a)
		}
	}
	added := w.under.Added()
	for _, a := range added[w.seen:] {
		count(a, 1)
	}
	for _, a := range w.want[w.owed:] {
		count(a, -1)
	}
	w.seen, w.owed = len(added), len(w.want)
}

// mark has the first item that was not added as it should have been stand in the history.
func (w *world) mark() {
	if w.broken || len(w.over) == 0 {
		return
	}
	for _, item := range w.items() {
		got, want := w.added(item), timesOf(item, w.want)
		switch {
		case w.broken || slices.Equal(got, want):
			continue
		case len(got) < len(want):
			w.t.Breaks("the moment of %q has come, and it is not added", item)
		default:
			w.t.Breaks("%q has been added, and this was not its moment", item)
		}
		w.broken = true
	}
}

// items are all that were added, or should have been.
func (w *world) items() []string {
	var items []string
	for _, a := range slices.Concat(w.want, w.under.Added()) {
		items = append(items, a.Item)
	}
	slices.Sort(items)
	return slices.Compact(items)
}

// compare holds the times at which an item was added against its moments, and says what is wrong; "" if
// nothing is.
func (w *world) compare(item string, got, want []time.Duration) string {
	for i := range min(len(got), len(want)) {
		asked := w.asked[queues.Addition{Item: item, At: want[i]}]
		if got[i] < want[i] {
			return fmt.Sprintf("%q was added at %v, too early: %s, so its moment was %v.", item, got[i], asked, want[i])
		}
		if got[i] > want[i] {
			return fmt.Sprintf("%q was added at %v, too late: %s, so its moment was %v.", item, got[i], asked, want[i])
		}
	}
	if len(got) < len(want) {
		at := want[len(got)]
		until := ""
		if now := w.t.Elapsed(); now > at {
			until = fmt.Sprintf(", nor until %v", now)
		}
		hand := ""
		if item == w.held && item != "" {
			hand = " A worker had it in hand all the while, and that is no reason to wait."
		}
		return fmt.Sprintf("%q was not added at %v%s: %s.%s", item, at, until, w.asked[queues.Addition{Item: item, At: at}], hand)
	}
	if len(got) > len(want) {
		early := got[len(want)]
		if at, waits := w.moments[item]; waits {
			return fmt.Sprintf("%q was added at %v, too early: %s, so its moment is %v.", item, early, w.asked[queues.Addition{Item: item, At: at}], at)
		}
		return fmt.Sprintf("%q was added at %v, once too often: an item waits once, for the earliest of its moments, and the others are dropped.", item, early)
	}
	return ""
}

// added are the times at which an item was added.
func (w *world) added(item string) []time.Duration { return timesOf(item, w.under.Added()) }

func timesOf(item string, all []queues.Addition) []time.Duration {
	var times []time.Duration
	for _, a := range all {
		if a.Item == item {
			times = append(times, a.At)
		}
	}
	slices.Sort(times)
	return times
}

// closes reports whether c is closed when everybody is at rest.
func closes(t *conform.T, c <-chan struct{}) bool {
	return atRest(t, func() bool { return probe.Closed(c) })
}

// atRest reports whether something holds when everybody is at rest. Outside a bubble, where somebody who sleeps
// for a moment looks the same, it asks more than once.
func atRest(t *conform.T, holds func() bool) bool {
	const looks = 30
	for range looks {
		if holds() {
			return true
		}
		t.Wait()
	}
	return holds()
}

// nowhere is a queue underneath that is always empty. What is added to it is gone.
type nowhere[T comparable] struct{ down atomic.Bool }

func (n *nowhere[T]) Add(T)                        {}
func (n *nowhere[T]) Len() int                     { return 0 }
func (n *nowhere[T]) Get() (none T, shutdown bool) { return none, true }
func (n *nowhere[T]) Done(T)                       {}
func (n *nowhere[T]) ShutDown()                    { n.down.Store(true) }
func (n *nowhere[T]) ShutDownWithDrain()           { n.down.Store(true) }
func (n *nowhere[T]) ShuttingDown() bool           { return n.down.Load() }
