package delayingqueuetest

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "adds-when-ready",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the loop that adds what is due"},
		Rule:   "An item is added when its delay has passed: not before, and not later.",
		Why:    "RequeueAfter is how a controller handles what no event reports: a certificate that expires, a lease that was not renewed.",
		Hint: []string{
			"Which goroutine wakes up when the delay has passed? What does it do until then?",
			"A goroutine that New starts, with a select on a timer and on a channel from AddAfter.",
			"Set the timer to exactly the moment, and compare with !readyAt.After(now): at the moment itself the item is ready.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: waitingLoop (no test of upstream fails if it adds late)",
		Contract: []string{
			"AddAfter adds item to the queue underneath when duration has passed since the call: at that moment and not later, as long as the queue underneath is quick",
			"Every duration is allowed: math.MinInt64 is less than zero, and math.MaxInt64 is 292 years",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := start(t, open())
			w.later("a", 3*time.Second)
			w.later("b", 3*time.Second+time.Nanosecond)
			w.later("c", 3500*time.Millisecond)
			w.later("d", 8*time.Second)
			w.later("", 9*time.Second) // the zero value is an item as any other
			w.later("tomorrow", 24*time.Hour)
			w.later("never", math.MaxInt64) // in 292 years
			w.elapse(10 * time.Second)      // at once: when one has come early, the history shows when the others come
			w.later("nor this one", math.MaxInt64)
			w.later("after that one", time.Second)
			w.elapse(24 * time.Hour)
			w.later("far off", 29*time.Hour+time.Nanosecond) // and nothing else wakes anybody until then
			before := probe.Wakeups()
			w.elapse(30 * time.Hour)
			if _, ticks := probe.Woken(before); !ticks {
				farOff(w)
			}
			w.ShutDown()
		},
	},
	{
		Name:   "no-delay-adds-at-once",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "With a duration of zero or less the item has been added when AddAfter returns.",
		Why:    "A worker that calls AddAfter(key, 0) and then Done relies on the key being dirty by then; otherwise another may see it neither queued nor held.",
		Hint: []string{
			"Is there anything to wait for? If not, why go through another goroutine?",
			"if duration <= 0 { d.Add(item); return }",
		},
		Source:   "client-go util/workqueue/delaying_queue.go: AddAfter (immediately add things with no delay; no test of upstream fails without it)",
		Contract: []string{"With a duration of zero or less the item has been added when AddAfter returns"},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := start(t, open())
			for i := range 100 {
				delay := -time.Duration(i) * time.Second
				if i == 99 {
					delay = math.MinInt64
				}
				w.AddAfter("a", delay)
				if n := w.Len(); n != 1 {
					w.comesLater(n, delay)
				}
				w.Expect(t, "a")
				w.Done("a")
			}
			w.ShutDown()
			noDelayForWhatWaits(t, open())
		},
	},
	{
		Name:   "the-rest-is-the-queues",
		Points: 4,
		Func:   "New",
		Look:   []string{"New", "your own Add, if you have written one"},
		Rule:   "Add, Len, Get, Done and ShuttingDown are those of the queue that New was given.",
		Why:    "The layers of a work queue are stacked: rate limiting on delaying on a plain or a priority queue. Each adds one thing and leaves the rest alone.",
		Hint: []string{
			"How do you forward five methods without writing them?",
			"Embed the interface: its methods are promoted. Nothing that waits is in the queue, so nothing that waits counts in Len.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: delayingType (embeds TypedInterface)",
		Contract: []string{
			"Add, Len, Get, Done and ShuttingDown go straight to it",
			"Its methods never hold a lock while they call the queue underneath",
			"ShutDown shuts the queue underneath down", "AddAfter adds item to the queue underneath when duration has passed since the call",
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				straightToTheQueue(t, open)
				whileAnotherIsSlow(t, open())
			})
			besideCallsThatWait(t, open()) // outside a bubble, which cannot see a goroutine that waits for a lock
		},
	},
	{
		Name:   "earliest-wins",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the step that enters an item among those that wait"},
		Rule:   "An item waits once: of several moments for it the earliest counts, and the others are dropped.",
		Why:    "A reconciler that asks for a look in an hour, and then for one in five seconds, wants the look in five seconds; and not one more look for each time it asked.",
		Hint: []string{
			"How do you find the entry of an item that is already waiting?",
			"A map from item to entry, beside the heap. An earlier moment replaces the entry's; a later one is dropped.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: insert; client-go util/workqueue/delaying_queue_test.go: TestDeduping",
		Contract: []string{
			"An item waits once. If AddAfter is called for an item that is already waiting, the earlier of the two moments counts and the later is dropped",
			"at that moment and not later, as long as the queue underneath is quick",
			"Two items are the same if == says so",
			"Any value of T may be an item, its zero value too",
			"With a duration of zero or less the item has been added when AddAfter returns",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := start(t, open())
			w.later("sooner", 8*time.Second)
			w.later("later", 2*time.Second)
			t.Wait()
			w.later("sooner", 3*time.Second)
			w.later("later", 9*time.Second)
			w.later("sooner by little", 900*time.Microsecond)
			w.later("sooner by little", 500*time.Microsecond)
			w.later("", 8*time.Second) // the zero value is an item as any other
			w.elapse(time.Second)
			w.later("sooner", 4*time.Second) // that is at 5 s
			w.later("", 3*time.Second)       // there are sooner ones still
			w.elapse(time.Minute)
			w.ShutDown()
			alikeAndNotTheSame(t, open())
		},
	},
	{
		Name:   "again-after-firing",
		Points: 4,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the loop that adds what is due"},
		Rule:   "An item that was added when its moment came can be delayed again.",
		Why:    "A reconciler that looks at its object every thirty seconds asks for the next look at the end of each one.",
		Hint: []string{
			"What is left of an item in your map after it has been added?",
			"Delete it from the map when you pop it from the heap.",
		},
		Source:   "client-go util/workqueue/delaying_queue.go: waitingLoop (delete(waitingEntryByData, …))",
		Contract: []string{"Once it has been added it can be delayed again", "at that moment and not later, as long as the queue underneath is quick"},
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := start(t, open())
			w.elapse(13 * time.Hour) // nothing waits
			for range 4 {
				w.later("a", 30*time.Second)
				w.elapse(time.Minute)
			}
			w.Expect(t, "a") // whose moment comes again before the worker is done
			w.held = "a"
			w.later("a", 30*time.Second)
			w.elapse(13 * time.Hour)
			w.held = ""
			w.Done("a")
			w.later("a", 30*time.Second)
			w.elapse(time.Minute)
			w.ShutDown()
			againAfterADirectAdd(t, open)
			laterThanAnAdd(t, open())
		},
	},
}

// farOff has items wait for months and for years. A subject that wakes up from time to time, which it may, is
// asked for the first alone at most: it would wake up very often.
func farOff(w *world) {
	for _, days := range []int{60, 3 * 365} {
		before := probe.Wakeups()
		delay := time.Duration(days)*24*time.Hour + time.Nanosecond
		w.later(fmt.Sprintf("in %d days", days), delay)
		w.elapse(delay + time.Hour)
		if _, ticks := probe.Woken(before); ticks {
			return
		}
	}
}

// straightToTheQueue calls the five methods while items wait for their moments, and after a shutdown.
func straightToTheQueue(t *conform.T, open func() Subject) {
	w := start(t, open())
	w.AddAfter("later", time.Hour)
	t.Wait()
	w.AddAfter("much later", 24*time.Hour)
	t.Wait()
	w.Holds(t, 0, "two items wait for their moments")
	w.Add("a")
	arrivesAtOnce(t, w, "a")
	w.Holds(t, 1, "one item was added, and two wait for their moments")
	w.Expect(t, "a")
	w.Add("a")
	w.Done("a")
	t.Require(w.under.Len() == 1, "A dirty item is done, and the queue that New was given holds %d items.", w.under.Len())
	time.Sleep(2 * time.Hour)
	w.Holds(t, 2, "the moment of another item has come")
	w.Expect(t, "a")
	w.Expect(t, "later")
	got := make(chan struct{})
	t.Go("worker", func(a *conform.Actor) {
		w.As(a).Get()
		close(got)
	})
	t.Wait()
	w.Add("b")
	t.Wait()
	t.Require(probe.Closed(got), "A worker was waiting in Get when Add(\"b\") was called, and it has not returned at that moment. Get is that of the queue that New was given, and waits for nothing else.")
	w.AddAfter("waits", time.Hour)
	t.Wait()
	w.Add("waits")
	arrivesAtOnce(t, w, "waits")
	t.Require(!w.ShuttingDown(), "ShuttingDown is true before ShutDown was called.")
	w.ShutDown()
	t.Require(w.ShuttingDown(), "ShuttingDown is false after ShutDown was called.")
	t.Require(w.under.ShuttingDown(), "ShutDown did not reach the queue that New was given.")
	straightToAQueueThatIsShut(t, w, open())
}

// whileAnotherIsSlow asks for Len while the queue underneath is slow to add an item, and another
// is delayed meanwhile.
func whileAnotherIsSlow(t *conform.T, s Subject) {
	w := start(t, s)
	release := w.stall()
	t.Go("handler", func(a *conform.Actor) { w.As(a).AddAfter("later", time.Hour) }) // may block
	t.Wait()
	w.Holds(t, 0, "Add is under way for one item, and another waits for its moment")
	release()
	t.Join()
	w.ShutDown()
}

// besideCallsThatWait calls Done while a worker waits in Get, and AddAfter while the queue underneath takes
// its time for Len, and for Done.
func besideCallsThatWait(t *conform.T, s Subject) {
	var under *slowToAnswer
	w := over(t, s, func(q *queues.Plain) kit.Queue[string] {
		under = &slowToAnswer{Plain: q, gate: make(chan struct{})}
		return under
	})
	w.Add("a")
	w.Expect(t, "a")
	t.Go("worker", func(a *conform.Actor) { w.As(a).Get() })
	t.Wait()
	w.Done("a") // waits for no Get
	w.Add("held")
	t.Wait() // the worker has it
	for _, call := range []func(queues.Client){
		func(c queues.Client) { c.Len() },
		func(c queues.Client) { c.Done("held") },
	} {
		under.slow.Store(true)
		t.Go("other worker", func(a *conform.Actor) { call(w.Client.As(a)) })
		t.Wait()
		w.AddAfter("b", 0)
		w.Expect(t, "b")
		w.AddAfter("c", time.Millisecond)
		w.Expect(t, "c")
		w.Done("b")
		w.Done("c")
	}
	besideASlowAdd(t, w, under)
	t.Note("Len, Done and Add(\"slow\") of the queue underneath may go on")
	close(under.gate)
	t.Join()
	w.ShutDown()
}

// besideASlowAdd calls Add, Len, Get and Done while another caller waits for a slow Add.
func besideASlowAdd(t *conform.T, w *world, under *slowToAnswer) {
	under.slow.Store(true)
	t.Go("handler", func(a *conform.Actor) { w.As(a).Add("slow") })
	t.Wait()
	returned := make(chan struct{})
	t.Go("other handler", func(a *conform.Actor) {
		q := w.As(a)
		q.Add("quick")
		q.Len()
		item, _ := q.Get()
		q.Done(item)
		close(returned)
	})
	t.Require(closes(t, returned), "Add(\"slow\") of the queue underneath was under way for one caller of Add. Another caller called Add(\"quick\"), Len, Get and Done, all of which are quick there, and one of these has not returned. They go straight to the queue underneath, and no method holds a lock while it calls that queue.")
}

// slowToAnswer is a queue of which one call of Len, of Done or of Add("slow") waits for a gate, if slow is true.
type slowToAnswer struct {
	*queues.Plain
	slow atomic.Bool
	gate chan struct{}
}

func (q *slowToAnswer) Len() int {
	q.answer()
	return q.Plain.Len()
}

func (q *slowToAnswer) Done(item string) {
	q.answer()
	q.Plain.Done(item)
}

func (q *slowToAnswer) Add(item string) {
	if item == "slow" {
		q.answer()
	}
	q.Plain.Add(item)
}

func (q *slowToAnswer) answer() {
	if q.slow.CompareAndSwap(true, false) {
		<-q.gate
	}
}

// alikeAndNotTheSame delays items that print alike, and some that are nil: each waits for a moment of its own,
// once. Then it adds each at once.
func alikeAndNotTheSame(t *conform.T, s Subject) {
	type pod struct{ name, node string }
	items := []any{"1", 1, int64(1), pod{"a b", "c"}, pod{"a", "b c"}, &pod{"a", "b"}, &pod{"a", "b"}, nil, (*pod)(nil)}
	under := new(anything)
	call := t.Call("New(q), of items of any type")
	q := s.OfAny(under)
	call.Returned("")
	for _, item := range items {
		q.AddAfter(item, time.Minute)
	}
	for i, item := range items {
		q.AddAfter(item, time.Duration(i+1)*time.Second)
		q.AddAfter(item, time.Hour) // waits already
	}
	t.Note(`AddAfter("1", 1m), AddAfter(1, 1m), and so on, with int64(1), structs, pointers and nil; then AddAfter("1", 1s) and AddAfter("1", 1h), AddAfter(1, 2s) and AddAfter(1, 1h), and so on`)
	time.Sleep(2 * time.Hour)
	t.Wait()
	added := under.Added()
	for i, item := range items {
		n := countOf(item, added)
		t.Require(n == 1, "AddAfter was called for the item %s, with 1m, %ds and 1h, and it was added %s, and should have been added once. Two items are the same if == says so, whatever they look like. Any value may be an item, its zero value too, which is nil here.%s", types([]any{item}), i+1, conform.Count(n, "time"), alike(i, items))
	}
	t.Require(slices.Equal(added, items), "AddAfter was called for the items %s, first with 1m for all of them, and then with 1s, 2s and so on, and they were added in this order: %s. The earlier of two moments counts, also for nil, which is the zero value here; and two items are the same if == says so, whatever they look like.", types(items), types(added))
	for _, item := range items {
		q.AddAfter(item, 0)
		n := countOf(item, under.Added())
		t.Require(n == 2, "AddAfter was called with 0s for the item %s, and had not added it when it returned. Any value may be an item, its zero value too, which is nil here.", types([]any{item}))
	}
	t.Do(q.ShutDown, "ShutDown()")
}

// alike says which items look like the one with index i.
func alike(i int, items []any) string {
	var others []any
	for j, other := range items {
		if j != i && (fmt.Sprint(other) == fmt.Sprint(items[i])) {
			others = append(others, other)
		}
	}
	if len(others) == 0 {
		return ""
	}
	return fmt.Sprintf(" At the same time there waited, and looks like it: %s.", types(others))
}

// countOf is how often an item is among others.
func countOf(item any, all []any) (n int) {
	for _, other := range all {
		if other == item {
			n++
		}
	}
	return n
}

// types are the types of items, as a list has them, and what they print like.
func types(items []any) string {
	var all []string
	for _, item := range items {
		if item == nil {
			all = append(all, "nil")
			continue
		}
		all = append(all, fmt.Sprintf("%T %v", item, item))
	}
	return conform.Listed(all)
}

// anything is a queue underneath for items of any type. It hands out none of them.
type anything struct {
	nowhere[any]
	mu    sync.Mutex
	added []any
}

func (q *anything) Add(item any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.added = append(q.added, item)
}

// Added is what was added, in order.
func (q *anything) Added() []any {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.added)
}

// arrivesAtOnce requires that an Add has reached the queue underneath by the time it returns. If it has
// not, the case waits, to see whether it is late or never comes.
func arrivesAtOnce(t *conform.T, w *world, item string) {
	held := w.under.Len()
	if held == 1 {
		return
	}
	began := t.Elapsed()
	time.Sleep(time.Second)
	t.Wait()
	came := w.added(item)
	t.Require(len(came) > 0, "Add(%q) has returned, and the queue that New was given holds %d items: Add is its Add, and it should hold %[1]s. Nor did %[1]s come within a second.", item, held)
	t.Fatalf("When Add(%q) returned, the queue that New was given held %d items: %[1]s came %[3]v later. Add is its Add, and waits for nothing.", item, held, came[0]-began)
}

// straightToAQueueThatIsShut calls Get and Add of a queue that was shut down, and makes another over a queue
// that was shut down before.
func straightToAQueueThatIsShut(t *conform.T, w *world, s Subject) {
	w.Holds(t, 1, "it was added before the shutdown, and nobody has taken it")
	w.Expect(t, "waits") // which is left, and Get hands it out
	w.Add("late")
	calls := len(timesOf("late", w.under.Late()))
	t.Require(calls == 1, "Add(\"late\") was called once after ShutDown, and Add of the queue that New was given %s. It goes straight to it, which knows itself that it is shut down.", conform.Count(calls, "time"))
	w = over(t, s, func(q *queues.Plain) kit.Queue[string] { q.ShutDown(); return q })
	t.Require(w.ShuttingDown(), "New was given a queue that was shut down before, and ShuttingDown is false. It goes straight to that queue, whose ShuttingDown is true.")
	w.ShutDown()
}

// noDelayForWhatWaits asks for items at once that wait already, and for one that is overdue because
// the queue underneath is slow with another.
func noDelayForWhatWaits(t *conform.T, s Subject) {
	w := start(t, s)
	w.AddAfter("waits", time.Hour)
	t.Wait()
	w.AddAfter("waits", 0)
	n := w.under.Len() // Len of the subject is another case's
	t.Require(n == 1, "AddAfter(\"waits\", 0s) had returned, and the queue underneath held %s, and should have held 1: with a duration of zero the item has been added by then, whether it was waiting or not.", conform.Count(n, "item"))
	release := w.under.Hold("slow")
	w.AddAfter("slow", time.Second)
	w.AddAfter("overdue", 2*time.Second)
	time.Sleep(5 * time.Second)
	t.Go("handler", func(a *conform.Actor) {
		w.As(a).AddAfter("overdue", 0) // may block for as long as the queue is slow
		t.Assert(len(w.added("overdue")) > 0, "AddAfter(\"overdue\", 0s) has returned, and \"overdue\" has not been added: whoever is to do so is in a slow Add of another item. With a duration of zero the item has been added by then.")
	})
	time.Sleep(5 * time.Second)
	release()
	t.Join()
	release = w.under.Hold("itself")
	returned := make(chan struct{})
	t.Go("handler", func(a *conform.Actor) {
		w.As(a).AddAfter("itself", 0)
		close(returned)
	})
	time.Sleep(5 * time.Second)
	t.Require(!probe.Closed(returned), "Add of the queue underneath was slow with \"itself\", and AddAfter(\"itself\", 0s) returned before that Add did. With a duration of zero or less the item has been added when AddAfter returns.")
	release()
	t.Join()
	w.ShutDown()
}

// againAfterADirectAdd adds an item directly that waits, and delays it again. Whether the first moment still stands
// is left open: if it does, the earlier of the two counts, and if not, the second.
func againAfterADirectAdd(t *conform.T, open func() Subject) {
	for _, direct := range []struct {
		call string
		add  func(w *world)
	}{
		{`AddAfter("a", 0s)`, func(w *world) { w.AddAfter("a", 0) }},
		{`Add("a")`, func(w *world) { w.Add("a") }},
	} {
		for _, delay := range []time.Duration{10 * time.Second, 3 * time.Second} {
			w := start(t, open())
			began := t.Elapsed()
			first, second := began+10*time.Second, began+2*time.Second+delay
			w.AddAfter("a", 10*time.Second)
			time.Sleep(time.Second)
			direct.add(w)
			w.Expect(t, "a")
			w.Done("a")
			time.Sleep(time.Second)
			w.AddAfter("a", delay)
			time.Sleep(time.Minute)
			times := w.added("a")
			came := times[min(1, len(times)):]
			or := ""
			if first < second {
				or = fmt.Sprintf(", or at %v if it was waiting still", first)
			}
			again := slices.Contains(came, second) || first < second && slices.Contains(came, first)
			t.Require(again, "\"a\" was waiting until %v when %s added it. Then AddAfter(\"a\", %v) was called, at %v, and it should have come again at %v%s. It was added at %s: once it has been added it can be delayed again.", first, direct.call, delay, second-delay, second, or, moments(times))
			t.Require(len(came) == 1, "\"a\" was waiting until %v when %s added it, and then AddAfter(\"a\", %v) was called, at %v. It was added at %s: if it was waiting still, the earlier of its two moments counts and the later is dropped, and if not, only the second counts. An item waits once.", first, direct.call, delay, second-delay, moments(times))
			w.ShutDown()
		}
	}
}

// comesLater fails because an item without a delay was not there when AddAfter returned, and says
// what became of it.
func (w *world) comesLater(n int, delay time.Duration) {
	began := w.t.Elapsed()
	w.t.Wait()
	rest := w.Len()
	time.Sleep(time.Minute)
	w.t.Fatalf("AddAfter(\"a\", %v) had returned, and Len was %d, and should have been 1: an item with no delay has been added by then. When everything was at rest, at the same moment of the clock (%v), Len was %d; a minute later it was %d.", delay, n, began, rest, w.Len())
}

// laterThanAnAdd adds an item directly, and delays it on the line after that, before a worker takes it.
func laterThanAnAdd(t *conform.T, s Subject) {
	w := start(t, s)
	w.queue.Add("a")
	due := t.Elapsed() + 5*time.Second
	w.queue.AddAfter("a", 5*time.Second)
	t.Note("Add(\"a\"), and AddAfter(\"a\", 5s) at once")
	w.Expect(t, "a")
	w.Done("a")
	time.Sleep(6 * time.Second)
	t.Wait()
	t.Require(slices.Contains(w.added("a"), due), "Add(\"a\") had returned, and AddAfter(\"a\", 5s) was called on the next line. Then a worker took \"a\" and was done with it. Its moment was %v, and it was added at %s only: an item that was added can be delayed.", due, moments(w.added("a")))
	w.ShutDown()
}
