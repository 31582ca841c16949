package backpressuretest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// errMap is what handlers panic with.
var errMap = errors.New("nil map")

// pumping is the part of the suite about what Pump does, and when.
var pumping = []conform.Case[Subject]{
	{
		Name:   "order-across-the-edge",
		Points: 4,
		Func:   "Pump.Add",
		Look:   []string{"Pump.Add", "Pump.Run"},
		Rule:   "The order is kept whatever the buffer goes through: growing while it wraps around, shrinking, running empty.",
		Why:    "A ring that copies wrongly when it grows reorders events only under load, where nobody looks.",
		Hint: []string{
			"Draw a ring of four slots whose first value stands in the third. Now it has to grow: which parts are copied, in which order?",
			"First the values from the head to the end of the old slots, then those that had gone around to the front.",
		},
		Contract: []string{"Run calls handle for each value, in the order in which they were added"},
		Source:   "utils buffer/ring_growing.go: TypedRingGrowing.WriteOne",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			ebb(t, s, []int{3000, -2990, 1500, -1400, 2500, -2610})
			ebb(t, s, []int{2000, -1400, 200, -500, 100, -300}) // a ring shrinks while its values go around
			filledAndEmptied(t, s)
			deep(t, s, 10_000, 7_000, 7_000)
			deep(t, s, 20_000, 10_000, 90_000) // a large ring grows while its values go around, and its head gets beyond 65536
			for _, n := range []int{16, 64, 512, 1024, 2048} {
				deep(t, s, n, n-1, n) // one value is left before the edge when the ring grows
			}
			refilledAtEachSize(t, s)
			nothings(t, s)
			model.Check(t, 40, func(rt *rapid.T, t *conform.T) {
				ebb(t, s, rapid.SliceOfN(rapid.IntRange(-40, 60), 1, 12).Draw(rt, "added and handled"))
			})
		},
	},
	{
		Name:   "handler-may-call-the-pump",
		Points: 3,
		Func:   "Pump.Run",
		Rule:   "The handler may call Add, Len and Close of the pump that calls it.",
		Why:    "An event handler that enqueues a follow-up is ordinary; one that hangs there stops getting events.",
		Hint: []string{
			"Which lock do you hold while handle runs? Which lock does Add want?",
			"Go's mutexes do not know who holds them: the same goroutine waits for itself for ever.",
		},
		Contract: []string{
			"All methods may be called from any goroutine at any time, also from inside handle.",
			"Len is the number of values that are pending: added and not yet given to handle.",
		},
		Source: "kubernetes#26980, pop held a mutex across channel operations",
		Check: func(t *conform.T, open func() Subject) {
			p := pump(t, open())
			addAll(t, p, 0, 1)
			var got []int
			err := runPump(t.Actor, t.Context(), p, recorded(t.Actor, func(v *Item) {
				got = append(got, idOf(v))
				if idOf(v) == 5 {
					t.Do(p.Close, "p.Close()")
					return
				}
				add(t.Actor, p, &Item{ID: idOf(v) + 1})
				waiting(t, p, 1) // the one that is being handled is no longer pending
			}))
			finished(t, err)
			sequence(t, "What the handler got, which adds each next value itself,", got, upTo(6))
			counted(t, open())
			countedOneByOne(t, open())
			countedAtFirst(t, open())
		},
	},
	{
		Name:   "many-senders-one-handler",
		Points: 4,
		Func:   "Pump.Add",
		Rule:   "With many senders nothing is lost, the order of each sender is kept, and handle is called for one value at a time.",
		Why:    "Handlers are written without locks because they are called one after the other.",
		Hint: []string{
			"Which goroutines touch your buffer, and what orders them?",
			"Hold the same lock for every access to the buffer, in Len too.",
		},
		Contract: []string{
			"All methods may be called from any goroutine at any time",
			"in the order in which they were added, one at a time, on the goroutine that called Run",
		},
		Source: "client-go tools/cache/shared_informer.go: processorListener.pop (first in, first out for each handler, and nothing is lost before its removal)",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const senders, each = 4, 60
			p := pump(t, open())
			var sending sync.WaitGroup
			for from := range senders {
				sending.Go(func() {
					a := t.Named("sender %d", from)
					for i := range each {
						t.Assert(add(a, p, &Item{ID: i, From: from}), "Add refused a value although nobody had closed the pump.")
						conform.Do(a, p.Len, "p.Len()")
					}
				})
			}
			t.Go("closer", func(a *conform.Actor) { sending.Wait(); a.Do(p.Close, "p.Close()") })
			var next [senders]int // plain memory: two calls of handle at once are a race here
			mine := probe.Goroutine()
			err := runPump(t.Actor, t.Context(), p, func(v *Item) {
				if !t.Assert(v != nil, "The handler got nil, a value that nobody had added.") {
					return
				}
				t.Assert(v.ID == next[v.From], "Value %d of sender %d was handled when its value %d was next: a value was lost, or came twice, or the order of the sender was not kept.", v.ID, v.From, next[v.From])
				next[v.From]++
				t.Assert(probe.Goroutine() == mine, "handle was called on another goroutine than the one that called Run.")
			})
			finished(t, err)
			for from, n := range next {
				t.Require(n == each, "Sender %d added %d values, and %d of them were handled when Run returned.", from, each, n)
			}
			endedMeanwhile(t, open(), true)
			endedMeanwhile(t, open(), false)
		},
	},
	{
		Name:   "no-lost-wake-up",
		Long:   true,
		Points: 4,
		Func:   "Pump.Run",
		Rule:   "A value that is added at the very moment when Run finds nothing pending is still handled.",
		Why:    "After a lost wake-up a controller stands still until the next event happens to come.",
		Hint: []string{
			"Run looks, finds nothing, and goes to sleep. What if Add comes between the check and the sleep?",
			"A bell that only sleepers hear can be missed. A bell that remembers cannot.",
			"A channel with a buffer of one, and TrySend: the token waits for Run.",
		},
		Contract: []string{
			"Run calls handle for each value, in the order in which they were added",
			"It returns nil when the pump is closed and everything pending was handled.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.Add (cond.Signal; no test of upstream defends it)",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				const rounds = 50
				s := open()
				p := pump(t, s)
				ctx := &nosy{t.Context(), make(chan struct{}, 1)}
				back := make(chan int)
				t.Go("runner", func(a *conform.Actor) {
					_ = runPump(a, ctx, p, func(v *Item) { back <- idOf(v) })
				})
				for i := range rounds {
					ctx.await()
					add(t.Actor, p, &Item{ID: i})
					call := t.Call("waits until %d, which was added, is handled", i)
					got := <-back
					call.Returned("")
					t.Require(got == i, "Only %d was pending, and the handler got %d.", i, got)
				}
				t.Do(p.Close, "p.Close()")
			})
			twoAtOnce(t, open())
			firstValue(t, open())
			lastValue(t, open())
		},
	},
	{
		Name:   "idle-pump-sleeps",
		Points: 3,
		Func:   "Pump.Run",
		Look:   []string{"Pump.Add", "Pump.Close", "the wait in Pump.Run"},
		Rule:   "With nothing pending Run sleeps; an Add wakes it at once, and so does Close.",
		Why:    "An informer with fifty handlers is idle most of the day: it must cost nothing, and still react at once.",
		Hint: []string{
			"How does Run wait: does it look again and again?",
			"Receive from a channel that Add and Close send on: no processor time, and no delay.",
		},
		Contract: []string{"A pump with nothing to do uses no processor time: it does not poll, however seldom, and an Add wakes it at once."},
		Source:   "client-go util/workqueue/queue.go: Typed.Get (cond.Wait; no test of upstream defends it)",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			p := pump(t, open())
			handled, returned := 0, false
			addAll(t, p, 0, 1)
			t.Go("runner", func(a *conform.Actor) {
				_ = runPump(a, t.Context(), p, recorded(a, func(*Item) { handled++ }))
				returned = true
			})
			t.Wait()
			t.Require(handled == 1, "A value was added before Run was called, and Run did not handle it at once.")
			asleep(t, "Run waited with nothing pending", "A pump with nothing to do does not poll")
			for i := 1; i < 6; i++ {
				time.Sleep(time.Duration(i)*time.Second + 337*time.Microsecond)
				t.Wait() // returns when Run sleeps: never, if it spins
				addAll(t, p, i, i+1)
				t.Wait()
				if at := handled; at != i+1 {
					t.Do(p.Close, "p.Close()") // does this wake it?
					t.Wait()
					t.Fatalf("Run slept, value %d was added, and when all was at rest Run had handled %d values of %d. Then the pump was closed, and Run had handled %d.", i, at, i+1, handled)
				}
			}
			t.Do(p.Close, "p.Close()")
			t.Wait()
			t.Require(returned, "The pump was closed while Run waited for a value, and Run did not return.")
			idleForGood(t, open())
		},
	},
	{
		Name:   "cancel-stops-the-pump",
		Points: 4,
		Func:   "Pump.Run",
		Rule:   "When ctx ends Run handles nothing more and returns ctx.Err(); the pump is then empty and refuses further values.",
		Why:    "A handler that is removed, or whose process stops, must not get the backlog of ten thousand events.",
		Hint: []string{
			"How often do you look at ctx: once for every value, or only while nothing is pending?",
			"Check ctx.Err() before you take a value. When Run returns, mark the pump as over and drop the buffer.",
		},
		Contract: []string{
			"When ctx is done it makes no further call of handle, lets a running call return, stops the pump and returns ctx.Err().",
			"Run looks at ctx before it takes a value: a ctx that is done by then always wins against a value that is pending.",
			"It reports false, and keeps nothing of v, after Close or when the pump has stopped.",
			"A pump that has stopped holds no value at all, and its Len is 0.",
			"It returns nil when the pump is closed and everything pending was handled.",
		},
		Source: "client-go tools/cache/shared_informer.go: RemoveEventHandler, sharedIndexInformer.AddEventHandlerWithOptions (removal leaks nothing, an Add after the stop is refused)",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				s := open()
				for _, after := range []int{0, 3} { // 0: before Run
					cancelled(t, s, 10, after, false)
					cancelled(t, s, 10, after, true)
				}
				cancelled(t, s, 3, 3, false) // in the last call, with nothing pending
			})
			t.Virtual(func(t *conform.T) {
				for n := range 10 {
					suddenlyPending(t, open(), 1+n, false)
					suddenlyPending(t, open(), 1+n, true)
				}
			})
			for i, after := range []int{1, 2, 101, 102, 1001, 1002, 2501} {
				cancelledWithMany(t, open(), 3000, after, i%2 == 1)
			}
		},
	},
	{
		Name:   "cancel-wakes-an-idle-pump",
		Points: 2,
		Func:   "Pump.Run",
		Rule:   "When ctx ends while Run waits for a value, Run returns ctx.Err(). When Run is over, nothing of it still waits for its ctx.",
		Why:    "No last event comes to wake a sleeping handler for the shutdown.",
		Hint: []string{
			"Where does Run sleep, and what can wake it there?",
			"A select with the bell and with ctx.Done().",
			"If you wait with a sync.Cond, ctx may end right before the wait: who signals holds the lock.",
		},
		Contract: []string{
			"lets a running call return, stops the pump and returns ctx.Err()",
			"Run looks at ctx before it takes a value: a ctx that is done by then always wins against a value that is pending.",
			"When Run is over, by return or by a panic, nothing of the pump still waits for ctx: no goroutine, no context.AfterFunc, no derived context. This holds for a Run that returned ErrStarted, too.",
			"it does not poll, however seldom, and an Add wakes it at once",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation: cancelling unblocks blocked senders and receivers",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errCause)
			defer cancel()
			t.Ends(ctx)
			p := pump(t, open())
			addAll(t, p, 0, 1)
			handled := 0
			err := runPump(t.Actor, ctx, p, recorded(t.Actor, func(*Item) { handled++ }))
			t.Require(handled == 1, "One value was added, and the handler got %d.", handled)
			gives(t, err, context.DeadlineExceeded, "ctx.Err()", "Run whose context ended while nothing was pending")
			t.Require(t.Elapsed() <= time.Second, "The context of an idle pump ended after 1s, and Run returned only after %v.", t.Elapsed())
			over(t, p)
			for n := range 6 {
				suddenly(t, open(), 1+n)
			}
			for range 20 {
				endsFirst(t, open())
				endsAndWakes(t, open())
			}
			expires(t, open())
			leavesNothing(t, open())
			panicLeavesNothing(t, open())
			refusedLeavesNothing(t, open())
		},
	},
	{
		Name:   "panic-goes-to-the-caller",
		Points: 2,
		Func:   "Pump.Run",
		Rule:   "A panic of handle goes through Run to its caller, and the pump has stopped.",
		Why:    "Whether a panic ends the process or skips one event is for the owner to decide: client-go lets it end the process unless configured otherwise.",
		Hint: []string{
			"On which goroutine do you call handle?",
			"What Run does before it returns belongs in a defer: a panic runs it too.",
		},
		Contract: []string{
			"Run does not recover a panic of handle: the panic goes through Run to its caller, and the pump has stopped",
			"Every other call of Run, at the same time or later, returns ErrStarted at once and never calls handle.",
		},
		Source: "apimachinery pkg/util/runtime/runtime.go: ReallyCrash; client-go tools/cache/shared_informer.go: processorListener.run",
		Check: func(t *conform.T, open func() Subject) {
			panicked(t, open(), 5, errMap, false, false)
			panicked(t, open(), 5, errMap, true, false)
			panicked(t, open(), 2, errMap, true, false) // with the last value
			panicked(t, open(), 5, errMap, false, true)
			for _, value := range []any{"nil map", 42, Policy(1), struct{ why string }{"nil map"}} {
				panicked(t, open(), 3, value, false, false)
			}
		},
	},
	{
		Name:   "runs-once",
		Points: 3,
		Func:   "Pump.Run",
		Rule:   "Only one call of Run ever handles values; every other returns ErrStarted at once.",
		Why:    "Two loops on one queue tear its order apart, and a second Run is usually a mistake in the wiring.",
		Hint: []string{
			"What does your Run remember when it begins, and under which lock?",
			"Check and set in one step: a flag under the lock, or an atomic swap.",
		},
		Contract: []string{
			"A pump can be run once. Every other call of Run, at the same time or later, returns ErrStarted at once and never calls handle.",
			"A Run whose ctx was done before the call counts, too.",
			"It returns nil when the pump is closed and everything pending was handled.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.RunWithContext (a second Run returns; no test of upstream defends it)",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				const n = 20
				s := open()
				p := pump(t, s)
				addAll(t, p, 0, n)
				errs, counts := make([]error, 3), make([]int, 3)
				for i := range errs {
					t.Go("runner", func(a *conform.Actor) {
						errs[i] = runPump(a, t.Context(), p, func(*Item) { counts[i]++ })
					})
				}
				t.Do(p.Close, "p.Close()")
				t.Join()
				refused := 0
				for i := range errs {
					if errs[i] == s.ErrStarted {
						refused++
						t.Require(counts[i] == 0, "A Run that returned ErrStarted has handled %d values.", counts[i])
					}
				}
				t.Require(refused == 2, "Three goroutines called Run, and %d of the calls returned ErrStarted: two of them should have.", refused)
				for i := range errs {
					if errs[i] != s.ErrStarted {
						finished(t, errs[i])
						t.Require(counts[i] == n, "%d values were added and three goroutines called Run. Two calls returned ErrStarted, and the third returned nil and has handled %d values: a Run that is refused does nothing to the pump.", n, counts[i])
					}
				}
				err := runPump(t.Actor, t.Context(), p, func(*Item) {})
				gives(t, err, s.ErrStarted, "ErrStarted", "A Run after the end of another")
				ended, cancel := context.WithCancel(t.Context())
				cancel()
				err = conform.Do(t.Actor, func() error { return p.Run(ended, func(*Item) {}) }, "p.Run(a ctx that has ended, handle)")
				gives(t, err, s.ErrStarted, "ErrStarted", "A Run after the end of another, with a context that has ended,")
			})
			t.Virtual(func(t *conform.T) {
				runBesides(t, open())
				for _, pending := range []int{0, 3} {
					for _, closed := range []bool{false, true} {
						usedUp(t, open(), pending, closed, false)
						if pending > 0 || !closed {
							usedUp(t, open(), pending, closed, true)
						}
					}
				}
			})
			runOnNothing(t, open())
			runTwice(t, open())
		},
	},
	{
		Name:   "closed-pump-takes-no-more",
		Points: 2,
		Func:   "Pump.Close",
		Look:   []string{"Pump.Close", "Pump.Add"},
		Rule:   "After Close, before Run or during it, Add refuses; what was added before is still handled. A second Close does nothing.",
		Why:    "Closed means that the last value is known: an Add that slips in would be lost, or would keep Run from returning.",
		Hint: []string{
			"Do Add and Close look at the same flag under the same lock?",
		},
		Contract: []string{
			"It reports false, and keeps nothing of v, after Close or when the pump has stopped.",
			"A second Close does nothing.",
			"Run goes on until everything pending was handled",
			"All methods may be called from any goroutine at any time, also from inside handle.",
		},
		Source: "A Tour of Go, Range and Close: only the sender should close a channel; apimachinery pkg/watch/watch.go: Interface (Stop may be called more than once)",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				closedAndRun(t, open())
				closedTwice(t, open())
			})
			closedByMany(t, open())
		},
	},
}

// idleForGood has Run wait with a ctx that cannot end: its Done is nil.
func idleForGood(t *conform.T, s Subject) {
	p := pump(t, s)
	handled := 0
	t.Note("from here on the ctx of Run is context.Background(), which has no Done channel")
	t.Go("runner", func(a *conform.Actor) {
		finished(t, runPump(a, context.Background(), p, recorded(a, func(*Item) { handled++ })))
	})
	t.Wait() // returns when Run sleeps: never, if it spins
	asleep(t, "Run waited with nothing pending, and with a ctx that cannot end,", "A pump with nothing to do does not poll")
	addAll(t, p, 0, 1)
	t.Wait()
	t.Require(handled == 1, "Run waited with a ctx that cannot end, a value was added, and when all was at rest Run had not handled it.")
	t.Do(p.Close, "p.Close()")
	t.Join()
}

// nosy is a context that reports when it is asked for its Done channel. A Run that
// goes to sleep asks for it after it has found nothing pending and before it
// sleeps: the moment in which an Add is missed by a bell that only sleepers hear.
//
// Both sides give the other some time and no more: a Run that asks at another moment,
// or with its lock held, is as right, and only sees an Add at another moment.
type nosy struct {
	context.Context
	asked chan struct{}
}

// Done gives a goroutine in await time to act before its own caller goes on.
func (c *nosy) Done() <-chan struct{} {
	select {
	case c.asked <- struct{}{}:
	default:
	}
	for range 200 {
		runtime.Gosched()
	}
	return c.Context.Done()
}

// await returns when Done was called, or after a while.
func (c *nosy) await() {
	for range 2000 {
		select {
		case <-c.asked:
			return
		default:
			runtime.Gosched()
		}
	}
}

// twoAtOnce has two goroutines add to an idle pump at the same time, again and again: one
// of them has to wake Run, whatever each sees of the other.
func twoAtOnce(t *conform.T, s Subject) {
	p := pump(t, s)
	back := make(chan struct{})
	t.Go("runner", func(a *conform.Actor) {
		_ = runPump(a, t.Context(), p, func(*Item) { back <- struct{}{} })
	})
	put := func() { p.Add(&Item{}) }
	t.Note("one goroutine called Add just when Run was about to sleep, again and again, and each value was handled")
	for range moments {
		call := t.Call("two goroutines call Add at once, and both values are waited for")
		probe.AtOnce(put, put)
		<-back
		<-back
		call.Returned("")
	}
	t.Do(p.Close, "p.Close()")
	t.Join()
}

// firstValue adds the only value of a pump while its Run looks for one for the first time. The handler closes the pump.
func firstValue(t *conform.T, s Subject) {
	t.Note("Run, and Add of one value, from two goroutines at once, on %d pumps in turn, and each value was handled", moments)
	for range moments {
		p := s.NewPump()
		probe.AtOnce(
			func() { _ = p.Run(t.Context(), func(*Item) { p.Close() }) },
			func() { p.Add(&Item{}) },
			func() { p.Len(); p.Len() },
		)
	}
}

// lastValue closes a pump right after an Add, while Run looks for values: what was added
// before Close is handled. Calls of Len crowd the lock, if there is one.
func lastValue(t *conform.T, s Subject) {
	t.Note("Run, and Add followed by Close, from two goroutines at once, on %d pumps in turn", 3*moments)
	for range 3 * moments { // what lies between two adjacent steps is hit seldom
		p := s.NewPump()
		handled, least := 0, 0
		probe.AtOnce(
			func() { _ = p.Run(t.Context(), func(*Item) { handled++ }) },
			func() { p.Add(&Item{}); p.Close() },
			func() { least = min(p.Len(), p.Len()) },
			func() { p.Len(); p.Len() },
		)
		t.Require(least >= 0, "One value was added, and Len said that %d were pending.", least)
		t.Require(handled == 1, "One value was added before Close, and Run returned when it had handled %d.", handled)
	}
}

// counted has the handler ask how many values are left of those that were added, before Run and by itself.
func counted(t *conform.T, s Subject) {
	p := pump(t, s)
	addAll(t, p, 0, 5)
	left := 5
	err := runPump(t.Actor, t.Context(), p, recorded(t.Actor, func(v *Item) {
		left--
		waiting(t, p, left)
		if idOf(v) == 2 {
			addAll(t, p, 5, 8)
			left += 3
			waiting(t, p, left)
			t.Do(p.Close, "p.Close()")
		}
	}))
	finished(t, err)
	t.Require(left == 0, "8 values were added, and Run has handled %d.", 8-left)
}

// countedOneByOne asks how many values are pending after each Add, and in handle: at every size that a buffer may have.
func countedOneByOne(t *conform.T, s Subject) {
	const n = 2100
	p := pump(t, s)
	call := t.Call("p.Add and p.Len in turn, %d times, then p.Run, with a handler that calls p.Len", n)
	for i := range n {
		p.Add(&Item{ID: i})
		if got := p.Len(); got != i+1 {
			call.Returned("")
			t.Fatalf("%d values wait for the handler, and Len says %d.", i+1, got)
		}
	}
	p.Close()
	left, wrong := n, false
	err := p.Run(t.Context(), func(*Item) {
		left--
		if got := p.Len(); got != left && !wrong {
			wrong = true
			t.Assert(false, "%d values wait for the handler, which works on another, and Len says %d.", left, got)
		}
	})
	call.Returned("%v", err)
	finished(t, err)
	t.Require(left == 0, "%d values were added, and Run has handled %d.", n, n-left)
}

// countedAtFirst asks how many values are pending while Run begins, and until the first of them is in the handler's hands.
func countedAtFirst(t *conform.T, s Subject) {
	const n = 5
	t.Note("p.Run(ctx, handle), and p.Len again and again, from two goroutines at once, on %d pumps with %d values in turn", moments, n)
	for range moments {
		p := s.NewPump()
		for range n {
			p.Add(&Item{})
		}
		p.Close()
		release, least := make(chan struct{}), n
		probe.AtOnce(
			func() { _ = p.Run(t.Context(), func(*Item) { <-release }) },
			func() {
				for range 20 {
					least = min(least, p.Len())
				}
				close(release)
			},
		)
		t.Require(least >= n-1, "%d values were pending when Run was called, and handle did not return from its first call. Meanwhile Len said %d: the others were pending all the time.", n, least)
	}
}

// filledAndEmptied has a pump run empty at sizes at which buffers are full, and goes on from there.
func filledAndEmptied(t *conform.T, s Subject) {
	ebb(t, s, []int{64, -64, 64, -64, 128, -128, 256, -256, 512, -512, 1024, -1024, 3, -3})
}

// deep has a large buffer empty step by step, with values that go around its end: to the first values, call number at of handle adds more.
func deep(t *conform.T, s Subject, first, at, more int) {
	p := pump(t, s)
	var waited time.Duration
	refused := 0
	add := func(from, to int) {
		began := t.Elapsed()
		for i := from; i < to; i++ {
			if !p.Add(&Item{ID: i}) {
				refused++
			}
		}
		waited += t.Elapsed() - began
	}
	call := t.Call("p.Add, %d times", first)
	add(0, first)
	call.Returned("")
	var got []int
	t.Note("p.Run(ctx, handle): its call number %d adds %d values", at, more)
	t.Go("runner", func(*conform.Actor) {
		_ = p.Run(t.Context(), func(v *Item) {
			if got = append(got, idOf(v)); len(got) == at {
				add(first, first+more)
			}
		})
	})
	t.Wait()
	t.Do(p.Close, "p.Close()")
	t.Join()
	t.Require(waited == 0, "%d values were added, and then %d from inside handle. Add has waited %v in all: Add never waits for the handler.", first, more, waited)
	t.Require(refused == 0, "%d values were added, and then %d from inside handle, before the pump was closed. For %d of them Add returned false.", first, more, refused)
	if i := slices.Index(got, idOf(nil)); i >= 0 {
		t.Fatalf("The handler got %d values, and then %s. %d values had been added, and then %d from inside handle.", i, nameOf(idOf(nil)), first, more)
	}
	sequence(t, "What the handler got", got, upTo(first+more))
}

// panicked has handle panic in its second call, with n values added, in a pump that is closed or is not, after the end of ctx or before.
func panicked(t *conform.T, s Subject, n int, with any, closed, ended bool) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := pump(t, s)
	addAll(t, p, 0, n)
	if closed {
		t.Do(p.Close, "p.Close()")
	}
	handled := 0
	value := func() (value any) {
		defer func() { value = recover() }()
		_ = runPump(t.Actor, ctx, p, recorded(t.Actor, func(*Item) {
			if handled++; handled == 2 {
				if ended {
					t.Do(cancel, "cancel()")
				}
				t.Note("handle panics with “%v” of the type %T", with, with)
				panic(with)
			}
		}))
		return nil
	}()
	t.Require(value != nil, "The handler panicked, and Run returned to its caller without a panic.")
	t.Require(value == with, "The handler panicked with “%v” of the type %T, and the caller of Run got a panic with another value: “%v” of the type %T.", with, with, value, value)
	t.Note("the panic has reached the caller of Run")
	t.Require(handled == 2, "The handler panicked when it was called for the second time, and it was called %d times.", handled)
	over(t, p)
	gives(t, runPump(t.Actor, t.Context(), p, func(*Item) {}), s.ErrStarted, "ErrStarted", "A Run after the panic of another")
}

// nothings adds nil where nil is a value like any other.
func nothings(t *conform.T, s Subject) {
	p := s.NewPumpErrors()
	values := []error{nil, errMap, nil, nil}
	t.Note("NewPump[error](), Add(nil), Add(an error), Add(nil), Add(nil), Close()")
	for _, v := range values {
		t.Require(p.Add(v), "Add(%s) refused a value although nobody had closed the pump.", conform.Said(v))
	}
	p.Close()
	var got []error
	err := conform.Do(t.Actor, func() error { return p.Run(t.Context(), func(v error) { got = append(got, v) }) }, "p.Run(ctx, handle)")
	finished(t, err)
	t.Require(slices.Equal(got, values), "Of a Pump[error], nil, an error, nil and nil were added, and the handler was called %s, with %v.", conform.Count(len(got), "time"), got)
}

// closedAndRun closes a pump twice, and then runs it.
func closedAndRun(t *conform.T, s Subject) {
	p := pump(t, s)
	addAll(t, p, 0, 3)
	t.Do(p.Close, "p.Close()")
	t.Require(!add(t.Actor, p, &Item{ID: 8}), "Add took a value after Close: it should have returned false.")
	t.Do(p.Close, "p.Close()")
	t.Require(!add(t.Actor, p, &Item{ID: 9}), "After Close Add refused a value, and after a second Close it took one: a second Close does nothing.")
	waiting(t, p, 3)
	var got []int
	err := runPump(t.Actor, t.Context(), p, recorded(t.Actor, func(v *Item) {
		got = append(got, idOf(v))
		t.Assert(!add(t.Actor, p, &Item{ID: 9}), "Add took a value after Close: it should have returned false.")
	}))
	finished(t, err)
	sequence(t, "What was handled after Close", got, upTo(3))
	over(t, p)
}

// closedByMany has four goroutines close a pump at the same time, while its Run looks for values. They share the pump alone.
func closedByMany(t *conform.T, s Subject) {
	t.Note("four goroutines call p.Close() and one calls p.Run(ctx, handle), all at once, on %d pumps in turn", moments)
	for range moments {
		p := s.NewPump()
		var err error
		run := func() { err = p.Run(t.Context(), func(*Item) {}) }
		probe.AtOnce(run, p.Close, p.Close, p.Close, p.Close)
		finished(t, err)
	}
}

// closedTwice has two goroutines close a pump at the same time, whose Run waits. They share the pump alone.
func closedTwice(t *conform.T, s Subject) {
	p := pump(t, s)
	t.Go("runner", func(a *conform.Actor) { finished(t, runPump(a, t.Context(), p, func(*Item) {})) })
	t.Wait()
	call := t.Call("two goroutines call p.Close() at once")
	probe.AtOnce(p.Close, p.Close)
	call.Returned("")
	t.Join()
}

// runTwice calls Run from two goroutines at the same time, and adds a value: with it, handle closes the pump.
func runTwice(t *conform.T, s Subject) {
	t.Note("two goroutines call Run at once, and a third adds the value with which handle closes the pump, on %d pumps in turn", moments)
	for range moments {
		p := s.NewPump()
		var errs [2]error
		run := func(i int) func() {
			return func() { errs[i] = p.Run(t.Context(), func(*Item) { p.Close() }) }
		}
		probe.AtOnce(run(0), run(1), func() { p.Add(&Item{}) })
		t.Require((errs[0] == s.ErrStarted) != (errs[1] == s.ErrStarted), "Of two calls of Run at once one returns ErrStarted and the other does not. One returned %s, and the other %s.", conform.Said(errs[0]), conform.Said(errs[1]))
	}
}

// runOnNothing runs a pump that was closed before anything was added, twice.
func runOnNothing(t *conform.T, s Subject) {
	p := pump(t, s)
	t.Do(p.Close, "p.Close()")
	err := runPump(t.Actor, t.Context(), p, func(*Item) {})
	t.Require(err == nil, "A pump was closed with nothing pending, and its first Run returned %s: it should have returned nil.", conform.Said(err))
	err = runPump(t.Actor, t.Context(), p, func(*Item) {})
	gives(t, err, s.ErrStarted, "ErrStarted", "The second Run of a pump whose first one found it closed and empty")
}

// usedUp calls Run with a ctx that is done, or that ends in the first call of handle, and then again: with a ctx that is done, because
// a pump that could be run once more would wait for ever with another, and with one that is not.
func usedUp(t *conform.T, s Subject, pending int, closed, meanwhile bool) {
	p := pump(t, s)
	addAll(t, p, 0, pending)
	if closed {
		t.Do(p.Close, "p.Close()")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	end, how := func() { t.Do(cancel, "cancel()") }, "was done before the call"
	if meanwhile {
		how = "ended in the first call of handle"
		if pending == 0 {
			time.AfterFunc(time.Second, cancel)
			how = "ended while nothing was pending"
		}
	} else {
		end()
	}
	first := runPump(t.Actor, ctx, p, recorded(t.Actor, func(*Item) { end() }))
	cancel()
	for _, again := range []context.Context{ctx, t.Context()} {
		err := runPump(t.Actor, again, p, recorded(t.Actor, func(*Item) {}))
		t.Require(err == s.ErrStarted, "The first Run of a pump had a ctx that %s, and returned %s. It counts: a pump can be run once. Run was called again and returned %s: it should have returned ErrStarted.", how, conform.Said(first), conform.Said(err))
	}
}

// runBesides calls Run of a pump whose Run handles a value. The first one goes on as before.
func runBesides(t *conform.T, s Subject) {
	p := pump(t, s)
	handled, release := 0, make(chan struct{})
	var first error
	t.Go("runner", func(a *conform.Actor) {
		first = runPump(a, t.Context(), p, func(*Item) {
			<-release
			handled++
		})
	})
	addAll(t, p, 0, 1)
	t.Wait()
	second := runPump(t.Actor, t.Context(), p, func(*Item) {})
	gives(t, second, s.ErrStarted, "ErrStarted", "A Run beside another")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	third := conform.Do(t.Actor, func() error { return p.Run(ended, func(*Item) {}) }, "p.Run(a ctx that has ended, handle)")
	gives(t, third, s.ErrStarted, "ErrStarted", "A Run beside another, with a context that has ended,")
	for i := 1; i < 3; i++ {
		t.Require(add(t.Actor, p, &Item{ID: i}), "Beside a Run that handles a value, others have returned ErrStarted, and then Add refused a value: they do nothing else.")
	}
	t.Do(p.Close, "p.Close()")
	close(release)
	t.Join()
	t.Require(handled == 3, "A second Run returned ErrStarted, and the first goes on as before. Of 3 values it has handled %d.", handled)
	finished(t, first)
}

// over fails if p has not stopped.
func over(t *conform.T, p Pump) {
	empty := func() {
		n := conform.Do(t.Actor, p.Len, "p.Len()")
		t.Require(n == 0, "Run has ended, so the pump has stopped, and Len is %d: a pump that has stopped is empty. Either the stop leaves values or their count behind, or an Add at the same moment checked before the stop and pushed after it.", n)
	}
	empty()
	t.Require(!add(t.Actor, p, &Item{ID: 99}), "Run has ended, so the pump has stopped, and Add took a value: nobody will ever handle it.")
	empty()
	t.Do(p.Close, "p.Close()")
	t.Require(!add(t.Actor, p, &Item{ID: 100}), "Run has ended, so the pump has stopped, and Add refused a value. Then Close was called, and Add took one: nobody will ever handle it.")
	empty()
}

// ebb adds the given numbers of values in turn (or lets that many be handled, where a
// step is negative), and checks that all came out in the order in which they went in.
func ebb(t *conform.T, s Subject, steps []int) {
	p := pump(t, s)
	var got []int
	permit := make(chan struct{})
	t.Go("runner", func(a *conform.Actor) {
		_ = runPump(a, t.Context(), p, func(v *Item) {
			<-permit
			got = append(got, idOf(v))
		})
	})
	added, handled := 0, 0
	var addedAt []int // how many had been added when each was handled
	for _, step := range steps {
		if step > 0 {
			t.Note("%d values are added", step)
			for range step {
				p.Add(&Item{ID: added})
				added++
			}
			continue
		}
		n := min(-step, added-handled)
		t.Note("%d values are handled", n)
		for range n {
			permit <- struct{}{}
			addedAt = append(addedAt, added)
		}
		handled += n
	}
	t.Note("the rest is handled")
	close(permit)
	t.Do(p.Close, "p.Close()")
	t.Join()
	for i, at := range addedAt[:min(len(addedAt), len(got))] {
		t.Require(got[i] == i, "The handler got %d values in order, and then %s, where value %d should come. Of the %d values added until then, %d were pending.", i, nameOf(got[i]), i, at, at-i)
	}
	sequence(t, "What the handler got", got, upTo(added))
}
