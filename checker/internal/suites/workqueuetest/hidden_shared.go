package workqueuetest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var shared = []conform.Case[Subject]{
	{
		Name:   "one-worker-per-item",
		Points: 8,
		Func:   "Queue.Get",
		Rule:   "No two workers ever hold the same item, however many workers there are and however often it is added.",
		Why:    "This is what lets MaxConcurrentReconciles be sixteen: a reconciler is written as if it were alone with its object.",
		Hint: []string{
			"Is there a moment at which an item is out of the queue, no longer dirty, and not yet in the processing set? What would an Add do then?",
			"Everything that Get changes, it changes under one Lock; the same for Add and Done.",
		},
		Source:   `client-go util/workqueue/doc.go: "a single item will not be processed multiple times concurrently"`,
		Contract: []string{"An item that is being processed is only marked dirty: it is not queued before its Done", "Every method may be called from any goroutine", "While nothing is queued Get waits"},
		Mode:     conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			everybodyAlone(t, open())
		},
	},
	{
		Name:   "everything-at-once",
		Points: 5,
		Func:   "Queue.Len",
		Rule:   "All methods may be called from any goroutine at any time, and what was done before Add or Done is seen by the worker that gets the item next.",
		Why:    "Handlers add, workers get, a metrics endpoint reads Len, and a signal handler shuts down. A data race among them is a corrupted map on some busy Monday.",
		Hint: []string{
			"Is there a method that reads a field without the lock because it 'only reads'?",
		},
		Source:   "The Go Memory Model; Go sync/mutex.go: Mutex",
		Contract: []string{"Every method may be called from any goroutine", "An item that is being processed is only marked dirty: it is not queued before its Done", "ends all drains of this queue that were called before it: they return", "What a goroutine did before it called Add happens before the Get that hands the item out returns", "What a worker did before it called Done happens before the item is handed out again", "While nothing is queued Get waits"},
		Long:     true,
		Check: func(t *conform.T, open func() Subject) {
			// Two workers that hold one item would race in the variables of the case, and the race detector
			// would say so of them: that they hold it says more.
			t.Copies(func(t *conform.T) { everybodyAlone(t, open()) })
			t.Copies(func(t *conform.T) { everybodyAtOnce(t, open) })
		},
	},
	{
		Name:   "matches-the-model",
		Points: 5,
		Func:   "Queue.Get",
		Rule:   "Any sequence of calls returns what a slow and obvious queue would return.",
		Why:    "Bugs of queues sit where two rules meet: a requeue after a shutdown, the place in line after the hundredth pop.",
		Hint: []string{
			"The history is the shortest sequence of calls that was found. Play it on paper: queue, dirty, processing.",
			"Two items are the same if == says so, and an item may be nil where its type has a nil. What does item.(T) do with that?",
		},
		Source: "model-based testing; client-go util/workqueue/queue.go: Typed",
		Contract: []string{
			"An item is queued from Add, or from the Done that queues it again, until Get hands it out, and is being processed from then until its Done. An item that is added while it is being processed is dirty, and not queued: Done will queue it again",
			"An item that is not known to the queue is put at its tail",
			"Any value of T may be an item, its zero value too",
			"Two items are the same if == says so",
			"Once ShutDown or ShutDownWithDrain has been called, Add does nothing",
		},
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 100, func(rt *rapid.T, t *conform.T) {
				q, m := queues.Calling(t.Actor, open()), &naive{}
				for range rapid.IntRange(1, 150).Draw(rt, "calls") {
					draw(rt, moves)(rt, t, q, m)
					q.Holds(t, len(m.queue), m.String())
				}
				q.ShutDown()
			})
			queue := open()
			queue.ShutDown()
			itemsOfAnyKind(t, queue.OfAny())
			zerosOfInts(t, queue.OfInt())
		},
	},
	{
		Name:   "linearizable",
		Points: 6,
		Func:   "Queue.Add",
		Look:   []string{"Queue.Add", "Queue.Get", "Queue.Done", "Queue.ShutDown", "Queue.ShutDownWithDrain", "Queue.ShuttingDown"},
		Rule:   "Calls that overlap return what the same calls could have returned one after the other.",
		Why:    "Only then can you reason about the queue: whatever the schedule was, some order of single steps explains it.",
		Hint: []string{
			"Which of your methods takes the lock twice? What can another goroutine do in between?",
			"One Lock at the top, one deferred Unlock, and nothing of the queue touched outside.",
		},
		Source: "Herlihy and Wing, Linearizability",
		Contract: []string{
			"calls that overlap have the effect of the same calls made one after the other, in some order",
			"ShuttingDown reports whether ShutDown or ShutDownWithDrain was called",
			"Once ShutDown or ShutDownWithDrain has been called, Add does nothing",
			"If item is dirty it is put at the tail of the queue",
			"blocks for as long as an item is being processed, or until ShutDown is called",
			"Len is how many items are queued",
			"A new queue is small, less than half a megabyte",
			"An item that is added while it is being processed is dirty, and not queued: Done will queue it again",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				lenAtRest(t, open)
				takenForAll(t, open)
				lateForAll(t, open)
			})
			t.Copies(func(t *conform.T) {
				for range 4 {
					tape := record(t, open())
					t.RequireLinearizable(sequential, tape)
				}
				shutForAll(t, open)
				queuedForAll(t, open)
			})
		},
	},
}

var items = []string{"a", "b", "c"}

// everybodyAlone has workers take items while others add them, and requires that each worker has its item alone.
func everybodyAlone(t *conform.T, queue Subject) {
	var holders, turns [3]atomic.Int32
	crowd(t, queue, 4, func(a *conform.Actor, item string) {
		i := item[0] - 'a'
		n := holders[i].Add(1)
		if n > 1 {
			a.Breaks("gets %q, and another worker holds it", item)
		}
		t.Assert(n == 1, "%q was handed to a worker while %s held it.", item, conform.Count(int(n-1), "other worker"))
		runtime.Gosched() // let the others try while the item is in hand
		holders[i].Add(-1)
		turns[i].Add(1)
	})
	for i := range turns {
		t.Require(turns[i].Load() > 0, "%q was added many times and never handed out.", items[i])
	}
}

// everybodyAtOnce calls all methods from many goroutines.
func everybodyAtOnce(t *conform.T, open func() Subject) {
	queue := open()
	// Each calls one method and no other: a lock that a second one takes
	// would order the reads of the first.
	t.Go("metrics", func(a *conform.Actor) {
		for range 200 {
			queues.Calling(a, queue).Len()
		}
	})
	t.Go("probe", func(a *conform.Actor) { asksOften(a, queue, 200) })
	// Plain variables: the queue alone orders the workers that write them.
	var rounds [3]int
	crowd(t, queue, 3, func(_ *conform.Actor, item string) { rounds[item[0]-'a']++ })
	for i, n := range rounds {
		t.Require(n > 0, "%q was added many times and never handed out.", items[i])
	}
	drainedMeanwhile(t, open())
	calledOffMeanwhile(t, open)
	seenThroughTheQueue(t, open())
}

// crowd lets the given number of workers work on q while three goroutines add items,
// and shuts q down when all items have been added. It returns when all goroutines have.
func crowd(t *conform.T, queue Subject, workers int, work func(a *conform.Actor, item string)) {
	adders := make(chan struct{}, 3)
	for i := range cap(adders) {
		t.Go("handler", func(a *conform.Actor) {
			rng := rand.New(rand.NewPCG(t.Seed(), uint64(i)))
			for range 200 {
				queues.Calling(a, queue).Add(items[rng.IntN(len(items))])
			}
			adders <- struct{}{}
		})
	}
	var ending atomic.Bool
	for range workers {
		t.Go("worker", func(a *conform.Actor) {
			q := queues.Calling(a, queue)
			for item, shutdown := q.Get(); !shutdown; item, shutdown = q.Get() {
				if !t.Assert(slices.Contains(items, item), "Get returned %q as an item to work on, and nobody has added that.", item) {
					return
				}
				work(a, item)
				q.Done(item)
			}
			t.Assert(ending.Load(), "Get says that the queue is shut down, and nobody has shut it down. While nothing is queued Get waits.")
		})
	}
	for range cap(adders) {
		<-adders
	}
	ending.Store(true)
	t.Go("probe", func(a *conform.Actor) { asksOften(a, queue, 20) }) // meets the shutdown
	queues.Calling(t.Actor, queue).ShutDown()
	t.Join()
}

// asksOften asks again and again whether the queue is shutting down.
func asksOften(a *conform.Actor, queue Subject, times int) {
	for range times {
		queues.Calling(a, queue).ShuttingDown()
	}
}

// moves are the calls the model chooses from; Add and Get are there more than once,
// so that the queue is long at times and empty at others.
var moves = []func(rt *rapid.T, t *conform.T, q queues.Client, m *naive){
	addBoth, addBoth, addBoth, getBoth, getBoth, doneBoth, doneBoth, shutDownBoth,
}

func addBoth(rt *rapid.T, _ *conform.T, q queues.Client, m *naive) {
	item := draw(rt, []string{"", "b", "c", "d", "e", "f", "g", "h"})
	q.Add(item)
	m.add(item)
}

func getBoth(_ *rapid.T, t *conform.T, q queues.Client, m *naive) {
	if len(m.queue) == 0 && !m.shut {
		return // it would wait
	}
	if want, shutdown := m.get(); !shutdown {
		q.Expect(t, want)
		return
	}
	item, shutdown := q.Get()
	t.Require(shutdown && item == "", "The queue is shut down and empty, and Get returned %q, %t in place of the zero value and true.", item, shutdown)
}

func doneBoth(rt *rapid.T, _ *conform.T, q queues.Client, m *naive) {
	if len(m.processing) == 0 {
		return // Done is for what Get has handed out
	}
	item := draw(rt, m.processing)
	q.Done(item)
	m.done(item)
}

// shutDownBoth is rare: little happens afterwards.
func shutDownBoth(rt *rapid.T, t *conform.T, q queues.Client, m *naive) {
	if rapid.IntRange(0, 19).Draw(rt, "dice") == 19 {
		q.ShutDown()
		m.shut = true
	}
	got := q.ShuttingDown()
	t.Require(got == m.shut, "ShuttingDown is %t, and whether ShutDown was called is %t.", got, m.shut)
}

func draw[E any](rt *rapid.T, from []E) E {
	return from[rapid.IntRange(0, len(from)-1).Draw(rt, "choice")]
}

// String says what the model holds.
func (m *naive) String() string {
	list := func(items []string) string {
		var quoted []string
		for _, item := range items {
			quoted = append(quoted, strconv.Quote(item)) // one of them is ""
		}
		return cmp.Or(strings.Join(quoted, ", "), "nothing")
	}
	return fmt.Sprintf("queued should be %s; being processed %s; dirty %s", list(m.queue), list(m.processing), list(m.dirty))
}

// naive is the queue at its most obvious: three slices that are searched.
type naive struct {
	queue, dirty, processing []string
	shut                     bool
}

func (m *naive) add(item string) {
	if m.shut || slices.Contains(m.dirty, item) {
		return
	}
	m.dirty = append(m.dirty, item)
	if !slices.Contains(m.processing, item) {
		m.queue = append(m.queue, item)
	}
}

func (m *naive) get() (string, bool) {
	if len(m.queue) == 0 {
		return "", true
	}
	item := m.queue[0]
	m.queue = m.queue[1:]
	m.dirty = without(m.dirty, item)
	m.processing = append(m.processing, item)
	return item, false
}

func (m *naive) done(item string) {
	m.processing = without(m.processing, item)
	if slices.Contains(m.dirty, item) {
		m.queue = append(m.queue, item)
	}
}

func without(items []string, item string) []string {
	return slices.DeleteFunc(slices.Clone(items), func(i string) bool { return i == item })
}

// state and model turn the naive queue into a value and back.
func (m *naive) state() state {
	set := func(items []string) string { return strings.Join(slices.Sorted(slices.Values(items)), "") }
	return state{strings.Join(m.queue, ""), set(m.dirty), set(m.processing), m.shut}
}

func (s state) model() *naive {
	split := func(letters string) []string { return strings.Split(letters, "") }
	return &naive{split(s.queue), split(s.dirty), split(s.processing), s.shut}
}

// itemsOfAnyKind has items of several types, of which some look alike and one is nil.
func itemsOfAnyKind(t *conform.T, queue kit.Queue[any]) {
	type pod struct{ name string }
	t.Note("a queue for values of any type")
	all := []any{1, "1", nil, &pod{"web"}, &pod{"web"}, pod{"web"}, 0.0, struct{}{}, int64(1),
		errors.New("gone"), errors.New("gone"), big.NewInt(7), big.NewInt(7)}
	const are = "1, \"1\", nil, two pointers to equal structs, such a struct, 0.0, struct{}{}, int64(1), two errors and two *big.Int that print alike"
	for _, item := range all {
		queue.Add(item)
	}
	n := queue.Len()
	t.Require(n == len(all), "The items %s were added, none is equal to another, and Len is %d. It should be %d.", are, n, len(all))
	for _, item := range []any{1, all[3], pod{"web"}, math.Copysign(0, -1)} {
		queue.Add(item)
		n = queue.Len()
		t.Require(n == len(all), "The items %s were added, and then %v (%T), which equals one of them. Len is %d, and should be %d as before: two items are the same if == says so.", are, item, item, n, len(all))
	}
	for i, want := range all {
		item, shutdown := queue.Get()
		t.Require(!shutdown, "The items %s were added, and Get number %d says that the queue is shut down.", are, i+1)
		t.Require(item == want, "The items %s were added, and Get number %d should have returned the one at that place, %v (%T), and returned %v (%T).", are, i+1, want, want, item, item)
		queue.Done(item)
	}
	for _, item := range append(all, math.Copysign(0, -1)) {
		queue.Add(item)
		n = queue.Len()
		t.Require(n == 1, "The items %s were handed out, and each is done. Then %v (%T) was added, and Len is %d: it should be 1.", are, item, item, n)
		_, _ = queue.Get()
		queue.Done(item)
	}
	queue.ShutDown()
}

// zerosOfInts has the zero value of a type that is neither a string nor an interface.
func zerosOfInts(t *conform.T, queue kit.Queue[int]) {
	t.Note("a queue for values of type int, to which 0, 1 and 2 are added")
	for want := range 3 {
		queue.Add(want)
	}
	n := queue.Len()
	t.Require(n == 3, "0, 1 and 2 were added, and Len is %d. It should be 3.", n)
	for want := range 3 {
		item, shutdown := queue.Get()
		t.Require(item == want && !shutdown, "0, 1 and 2 were added, and Get number %d should have returned %d and false, and returned %d and %t.", want+1, want, item, shutdown)
		queue.Done(item)
	}
	queue.ShutDown()
}
