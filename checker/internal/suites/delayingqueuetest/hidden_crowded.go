package delayingqueuetest

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var crowded = []conform.Case[Subject]{
	{
		Name:   "many-producers-at-once",
		Points: 6,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the loop that sets the timer"},
		Rule:   "AddAfter may be called from any number of goroutines at once, and every item comes out.",
		Why:    "Ten informer handlers and sixteen workers share one queue.",
		Hint: []string{
			"Which goroutines touch the heap and the map? If there is more than one, what orders them?",
			"Let one goroutine own them. AddAfter sends, and touches nothing.",
		},
		Source: "The Go Memory Model: a send on a channel is synchronized before the completion of the corresponding receive",
		Contract: []string{
			"Every method may be called from any goroutine",
			"AddAfter adds item to the queue underneath when duration has passed since the call: at that moment and not later, as long as the queue underneath is quick",
			"An item waits once. If AddAfter is called for an item that is already waiting, the earlier of the two moments counts and the later is dropped",
			"An Add that a caller waits for, in Add or in AddAfter with no delay, may be slow too: it delays neither a waiting item nor another caller's Add",
		},
		Check: func(t *conform.T, open func() Subject) {
			dueAtOnce(t, open())
			t.Copies(func(t *conform.T) { producersMeet(t, open()) })
			t.Virtual(func(t *conform.T) {
				momentsMeet(t, open())
				overALongQueue(t, open())
			})
			besideSlowAdds(t, open()) // outside a bubble, which cannot see a goroutine that waits for a lock
		},
	},
	{
		Name:   "shutdown-against-producers",
		Points: 5,
		Func:   "DelayingQueue.ShutDown",
		Rule:   "ShutDown and AddAfter may meet at any moment: nothing panics and no goroutine is left behind.",
		Why:    "A controller stops when its context ends, and its handlers are not stopped first.",
		Hint: []string{
			"Is there a channel that one goroutine closes and another sends on?",
			"Is there a lock that is held during a send?",
		},
		Source:   "client-go util/workqueue/delaying_queue.go: AddAfter; kubernetes#108080 for the send on a closed channel",
		Contract: []string{"ShutDown shuts the queue underneath down", "ShutDown may be called more than once, at the same time", "It makes every call of AddAfter that blocks return", "The goroutines of this queue end as soon as ShutDown is called"},
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				for range 2 {
					producersMeetShutdown(t, open())
				}
			})
			shutdownsMeet(t, open())
			callsMeetAShutdown(t, open())
		},
	},
	{
		Name:   "matches-the-model",
		Points: 7,
		Func:   "DelayingQueue.AddAfter",
		Look:   []string{"DelayingQueue.AddAfter", "the loop that adds what is due"},
		Rule:   "Any sequence of calls of AddAfter and Add, and of waits, adds the items at the moments that a plain table of moments gives.",
		Why:    "A heap with one wrong index works for weeks, until a certain three keys wait in a certain order.",
		Hint: []string{
			"The history is the shortest sequence that was found. Draw the heap after each call.",
		},
		Source: "model-based testing; client-go util/workqueue/delaying_queue.go: waitForPriorityQueue (no test of upstream finds an index that Swap forgot)",
		Contract: []string{
			"An item waits once. If AddAfter is called for an item that is already waiting, the earlier of the two moments counts and the later is dropped",
			"Once it has been added it can be delayed again",
			"at that moment and not later, as long as the queue underneath is quick",
			"With a duration of zero or less the item has been added when AddAfter returns, whether it was waiting or not",
			"Add, Len, Get, Done and ShuttingDown go straight to it",
			"Whether an item that was delayed, and then added directly, by Add or with a duration of zero or less, is added once more at its moment is left open",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 30, func(rt *rapid.T, t *conform.T) {
				w := start(t, open())
				for range rapid.IntRange(1, 300).Draw(rt, "calls") {
					dice := rapid.IntRange(0, 19).Draw(rt, "dice")
					if dice < 4 {
						w.elapse(time.Duration(rapid.IntRange(1, 15).Draw(rt, "seconds")) * time.Second)
					}
					item := string(rune('a' + rapid.IntRange(0, 11).Draw(rt, "item")))
					if item == "l" {
						item = "" // the zero value is an item as any other
					}
					delay := time.Duration(rapid.IntRange(1, 60).Draw(rt, "delay")) * time.Second
					_, loose := w.loose[item]
					switch {
					case dice > 17:
						w.directly(item, dice == 18)
					case !loose: // of one that may wait or not, what an AddAfter has to do is left open
						w.later(item, delay)
					}
				}
				w.elapse(2 * time.Minute)
				w.ShutDown()
			})
		},
	},
}

// producersMeet has four producers delay items of their own, and one that all of them ask for.
func producersMeet(t *conform.T, s Subject) {
	const producers, each = 4, 25
	w := start(t, s)
	for p := range producers {
		t.Go("producer", func(a *conform.Actor) {
			q := w.As(a)
			for i := range each {
				q.AddAfter(string(rune(1000*(p+1)+i)), time.Duration(i%3)*50*time.Microsecond)
				q.AddAfter("all", time.Hour+time.Duration(i)) // all ask for the same one
			}
		})
	}
	seen := map[string]bool{}
	for len(seen) < producers*each { // it waits in Get, not for a time
		item, shutdown := w.Get()
		t.Require(!shutdown, "Get says that the queue is shut down, and nobody has shut it down.")
		t.Require(!seen[item], "%q was delayed once and added twice.", item)
		seen[item] = true
		w.Done(item)
	}
	w.ShutDown()
}

// besideSlowAdds has an item become due while callers wait for slow Adds of their own.
func besideSlowAdds(t *conform.T, s Subject) {
	gate := make(chan struct{})
	w := over(t, s, func(q *queues.Plain) kit.Queue[string] { return slowToAdd{Plain: q, gate: gate} })
	t.Go("handler", func(a *conform.Actor) { w.As(a).AddAfter("slow", 0) })
	t.Go("other handler", func(a *conform.Actor) { w.As(a).Add("slow") })
	t.Wait()
	w.AddAfter("due", time.Millisecond)
	w.Expect(t, "due") // it waits in Get, not for a time
	t.Note("Add(\"slow\") may go on")
	close(gate)
	t.Join()
	w.ShutDown()
}

// dueAtOnce delays one item after the other by so little that its moment comes while the subject still looks at
// it, which no bubble can show. Nothing else happens meanwhile.
func dueAtOnce(t *conform.T, s Subject) {
	const items = 2000
	under := new(counting)
	call := t.Call("New(q)")
	q := s.New(under)
	call.Returned("")
	for i := range items {
		item, delay := fmt.Sprint(i), time.Duration(1+i%128*100)
		t.Do(func() { q.AddAfter(item, delay) }, "AddAfter(%q, %v)", item, delay)
		t.Require(comes(t, &under.added, i+1), "AddAfter(%q, %v) was called while no other item was waiting. Its moment has come and everybody is at rest, and it has not been added: at that moment, and not later, it should be, also where the moment comes while a goroutine of the queue has yet to go to sleep until then.", item, delay)
	}
	t.Do(q.ShutDown, "ShutDown()")
}

// comes reports whether n items have been added when everybody is at rest. To come to rest takes long beside the
// delays of these items, so it first looks for a while whether they are there.
func comes(t *conform.T, added *atomic.Int32, n int) bool {
	const turns = 20_000
	here := func() bool { return int(added.Load()) >= n }
	for range turns {
		if here() {
			return true
		}
		runtime.Gosched()
	}
	return atRest(t, here)
}

// momentsMeet has two callers ask for the same item at once, for two moments, again and again:
// of each item the earlier counts, in whichever order they come.
func momentsMeet(t *conform.T, s Subject) {
	const items = 400
	w := start(t, s)
	together := make([]func(), items)
	for i := range together {
		together[i] = probe.Together(2)
	}
	began := t.Elapsed()
	for _, delay := range []time.Duration{time.Second, time.Hour} {
		t.Go("producer", func(*conform.Actor) {
			for i, meet := range together {
				meet()
				w.queue.AddAfter(string(rune(1000+i)), delay)
			}
		})
	}
	t.Note("two producers call AddAfter for %d items, each time both at once, one of them with 1s and the other with 1h", items)
	t.Join()
	time.Sleep(time.Minute)
	added := w.under.Added()
	t.Require(len(added) == items, "Of each of %d items AddAfter was called with 1s and with 1h, from two goroutines at once. After a minute %d of them have been added: of two moments the earlier counts and the later is dropped.", items, len(added))
	for _, a := range added {
		t.Require(a.At == began+time.Second, "An item was added at %v, and of its two moments the earlier was %v.", a.At, began+time.Second)
	}
	w.ShutDown()
}

// overALongQueue delays items over a queue that says it holds a million already.
func overALongQueue(t *conform.T, s Subject) {
	const items = 20
	under := new(long)
	call := t.Call("New(q)")
	q := s.New(under)
	call.Returned("")
	t.Note("Len of q is a million")
	for i := range items {
		item := fmt.Sprint(i)
		t.Do(func() { q.AddAfter(item, time.Second) }, "AddAfter(%q, 1s)", item)
	}
	time.Sleep(time.Second)
	t.Wait()
	added := under.added.Load()
	t.Require(added == items, "AddAfter(…, 1s) was called for %d items, a second has passed, and %d of them have been added: each is, however long the queue underneath is.", items, added)
	t.Do(q.ShutDown, "ShutDown()")
}

// long is a queue that says it holds a million items.
type long struct{ counting }

func (*long) Len() int { return 1_000_000 }

// producersMeetShutdown shuts a queue down three times while three producers call AddAfter.
func producersMeetShutdown(t *conform.T, s Subject) {
	w := start(t, s)
	w.AddAfter("first", time.Microsecond)
	w.Expect(t, "first")
	for p := range 3 {
		t.Go("producer", func(a *conform.Actor) {
			for i := range 40 {
				w.As(a).AddAfter(string(rune(1000*(p+1)+i)), time.Duration(i%2)*time.Hour)
			}
		})
		t.Go("manager", func(a *conform.Actor) { w.As(a).ShutDown() })
	}
	t.Join()
	for _, shutdown := w.Get(); !shutdown; _, shutdown = w.Get() {
	}
}

// shutdownsMeet lets two shutdowns of one queue meet, again and again: what two adjacent
// statements do wrong shows in one round of many.
func shutdownsMeet(t *conform.T, s Subject) {
	const rounds = 400
	type meeting struct {
		queue    kit.DelayingQueue[string]
		together func()
	}
	alone := s.New(new(nowhere[string]))
	for range 2 {
		t.Do(alone.ShutDown, "ShutDown()")
	}
	t.Note("one ShutDown after the other went well; now they meet")
	call := t.Call("New, and two shutdowns at once, %d times", rounds)
	others := make(chan meeting)
	var early atomic.Int32
	t.Go("other manager", func(*conform.Actor) {
		for m := range others {
			m.together()
			m.queue.ShutDown()
			if !m.queue.ShuttingDown() {
				early.Add(1)
			}
		}
	})
	for round := range rounds {
		m := meeting{s.New(new(nowhere[string])), probe.Together(2)}
		stop := m.queue.ShutDown
		if round%2 == 0 {
			stop = m.queue.ShutDownWithDrain
		}
		others <- m
		m.together()
		stop()
	}
	close(others)
	t.Join()
	call.Returned("")
	t.Require(early.Load() == 0, "ShutDown met another shutdown %d times, and returned before the queue underneath was shut down, which was left to the other, %d times.", rounds, early.Load())
}

// callsMeetAShutdown has a few AddAfter and a shutdown at the same moment, again and again: a call that has
// found the queue open must not wait for a goroutine that has ended meanwhile.
func callsMeetAShutdown(t *conform.T, s Subject) {
	const rounds, callers = 250, 3
	call := t.Call("New, and %d calls of AddAfter and a shutdown at once, %d times", callers, rounds)
	for round := range rounds {
		q := s.New(new(nowhere[string]))
		calls := []func(){func() {
			if round%2 == 0 {
				q.ShutDownWithDrain()
			}
			q.ShutDown()
		}}
		for i := range callers {
			calls = append(calls, func() { q.AddAfter(string(rune('a'+i)), time.Hour) })
		}
		probe.AtOnce(calls...)
	}
	call.Returned("")
}
