package delayingqueuetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
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

	moments map[string]time.Duration // of the items that wait
	want    []queues.Addition        // what has come due
}

// start makes a subject over a new queue.
func start(t *conform.T, s Subject) *world {
	under := queues.NewPlain(t)
	call := t.Call("New(q)")
	q := s(under)
	call.Returned("")
	return &world{queues.CallingDelaying(t.Actor, q), t, q, under, map[string]time.Duration{}, nil}
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

// later calls AddAfter, and notes the moment that was asked for, if it is the earliest.
func (w *world) later(item string, delay time.Duration) {
	at := w.t.Elapsed() + delay
	if known, waits := w.moments[item]; !waits || at < known {
		w.moments[item] = at
	}
	w.AddAfter(item, delay)
}

// elapse lets time pass, and requires that by then each item was added at its moment and
// at no other.
func (w *world) elapse(d time.Duration) {
	time.Sleep(d)
	w.t.Wait()
	for item, at := range w.moments {
		if at <= w.t.Elapsed() {
			w.want = append(w.want, queues.Addition{Item: item, At: at})
			delete(w.moments, item)
		}
	}
	for _, item := range w.items() {
		w.compare(item, w.added(item), timesOf(item, w.want))
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

// compare holds the times at which an item was added against its moments.
func (w *world) compare(item string, got, want []time.Duration) {
	for i := range min(len(got), len(want)) {
		require.True(w.t, got[i] >= want[i], "%q was added too early: at %v, and its moment was %v.", item, got[i], want[i])
		require.True(w.t, got[i] <= want[i], "%q was added too late: at %v, and its moment was %v.", item, got[i], want[i])
	}
	require.True(w.t, len(got) >= len(want), "%q should have been added at %v, and was added at %v.", item, want, got)
	require.True(w.t, len(got) <= len(want), "%q was added too often: at %v, and should have been added at %v.", item, got, want)
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
