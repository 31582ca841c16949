package cancellationtest

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hiddenLoops = []conform.Case[Subject]{
	{
		Name:   "never-after-done",
		Points: 6,
		Func:   "Backoff.Run",
		Rule:   "Neither Until nor Run calls f once ctx is done, not even when the wait is over at the same moment.",
		Why:    "The extra run is a write by a controller that is no longer the leader.",
		Hint: []string{
			"After the wait, two things can be true at once. Which of them does select report?",
			"Check ctx.Err() at the head of the loop, before every call of f.",
		},
		Contract: []string{"It is never called once ctx is done, not even the first time."},
		Source:   "apimachinery pkg/util/wait/backoff.go: BackoffUntilWithContext (the comment on priority selection)",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for name, loop := range loops(s, 0) {
				for range 20 {
					neverAfterDone(t, name, loop, 0)
				}
			}
			for range 20 { // the step is long over when f returns
				neverAfterDone(t, "Run, not sliding", loops(s, time.Second)["Run, not sliding"], 2*time.Second)
			}
			for name, loop := range loops(s, 0) {
				for range 5 {
					outlasts(t, name, loop)
				}
			}
		},
	},
	{
		Name:   "cancel-ends-the-wait",
		Long:   true,
		Points: 5,
		Func:   "Backoff.Run",
		Rule:   "A cancellation ends the wait at once, however long the step, and the loop leaves nothing running or held.",
		Why:    "A reflector that slept through its stop signal kept goroutines for minutes after the informer was gone (kubernetes#116435).",
		Hint: []string{
			"time.Sleep listens to nobody.",
			"A select on a timer and on ctx.Done().",
		},
		Contract: []string{
			"A cancellation ends the wait at once, however long the step",
			"the loop has ended, and leaves nothing running, not even a timer made by time.AfterFunc.",
			"The memory that it holds, its stack included, does not grow with the number of calls.",
		},
		Source: "kubernetes#116435: client-go: shut down watch reflector as soon as stop channel closes",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				waitEnds(t, open(), 1000*time.Hour, time.Second) // who sleeps through this is left behind
				waitEnds(t, open(), math.MaxInt64, time.Second)
				for _, step := range []time.Duration{time.Second, 5 * time.Millisecond, 500 * time.Microsecond, 500} {
					waitEnds(t, open(), step, step/5)
					endMeetsStep(t, open(), step)
				}
				holdsNoMore(t, open())
				growsNoMore(t, open())
				callsItself(t, open())
			})
			// Not in a bubble, which keeps each timer until it fires.
			leavesNoTimer(t, open(), "in the first wait", func(cancel context.CancelFunc) { go cancel() })
			leavesNoTimer(t, open(), "in the first call of f", func(cancel context.CancelFunc) { cancel() })
		},
	},
	{
		Name:   "call-under-way-is-waited-for",
		Alone:  true, // a process that was to end proves nothing of other cases
		Points: 4,
		Func:   "Until",
		Look:   []string{"Until", "Backoff.Run"},
		Rule:   "f gets the loop's context, and the loop returns only after f has. A panic of f is not caught.",
		Why:    "Code that waits for a loop to end waits for its work to end: only then may the next leader begin.",
		Hint: []string{
			"Which context does f get? Can it learn from it that it should stop?",
			"Call f in the loop's own goroutine: then there is nothing left to wait for.",
		},
		Contract: []string{
			"f gets ctx. It is never called once ctx is done", "a running call of f is waited for",
			"calls f at once and then again and again, until ctx is done", "A panic of f is not caught: it is to end the process",
		},
		Source: "kubernetes#23715: wait.Until had no way to guarantee that its goroutine had ended",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { underWay(t, open()) })
			fPanics(t, open(), func(context.CancelFunc) {}, "f panicked")
			fPanics(t, open(), func(cancel context.CancelFunc) { cancel() }, "f cancelled ctx and panicked")
		},
	},
	{
		Name:   "step-cap",
		Points: 4,
		Func:   "Backoff.Step",
		Rule:   "A product above Cap becomes Cap and ends the growth; Cap does not touch a Duration that was larger from the start.",
		Why:    "Uncapped, a backoff that begins at one second waits six days after the twentieth failure in a row: the controller looks dead long after the API server is back.",
		Hint: []string{
			"Compare the product with Cap, not the value you return.",
			"When the cap was hit, Steps becomes 0. What if Steps was 0 or negative from the start, or the Backoff is nil?",
		},
		Contract: []string{
			"If Cap is positive and the product is above it, Duration becomes Cap and Steps becomes 0.",
			"It bounds neither the jitter nor a Duration that was above it from the start, but it does bound the product of such a Duration.",
			"A nil Backoff returns 0.",
		},
		Source: "apimachinery pkg/util/wait/backoff.go: Backoff.Cap, delay; apimachinery pkg/util/wait/wait_test.go: TestBackoff_Step",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			steps(t, s, Params{Duration: time.Second, Factor: 2, Steps: 9, Cap: 3 * time.Second}, seconds(1, 2, 3, 3, 3))
			steps(t, s, Params{Duration: 10 * time.Second, Factor: 2, Steps: 9, Cap: 5 * time.Second}, seconds(10, 5, 5))
			steps(t, s, Params{Duration: 10 * time.Second, Factor: 2, Steps: 0, Cap: 5 * time.Second}, seconds(10, 10, 10))
			steps(t, s, Params{Duration: 10 * time.Second, Steps: 3, Cap: 5 * time.Second}, seconds(10, 10, 10))
			steps(t, s, Params{Duration: time.Second, Factor: 2, Steps: 9, Cap: 2}, []time.Duration{time.Second, 2, 2})
			steps(t, s, Params{Duration: time.Second, Factor: 2, Steps: 9, Cap: 1}, []time.Duration{time.Second, 1, 1})        // the least Cap that is one
			steps(t, s, Params{Duration: 4 * time.Second, Factor: 0.5, Steps: 9, Cap: 2 * time.Second}, seconds(4, 2, 1, 0.5)) // a product that equals Cap
			steps(t, s, Params{Duration: time.Second, Factor: 2, Steps: -1}, seconds(1, 1, 1))
			steps(t, s, Params{Duration: time.Second, Factor: 2, Steps: 9, Cap: -time.Second}, seconds(1, 2, 4)) // none
			steps(t, s, Params{Duration: time.Second, Jitter: -0.5}, seconds(1, 1, 1))
			steps(t, s, Params{Jitter: 0.5, Steps: 2}, seconds(0, 0, 0)) // half of nothing
			got := conform.Do(t.Actor, s.NilStep, "(*Backoff)(nil).Step()")
			t.Require(got == 0, "Step of a nil Backoff returned %v, and should have returned 0.", got)
		},
	},
	{
		Name:   "jitter-does-not-add-up",
		Points: 5,
		Func:   "Backoff.Step",
		Rule:   "Each step is lengthened by a new random part of up to Jitter * Duration, and Duration itself never has jitter in it.",
		Why:    "Three thousand kubelets that retried after exactly one second brought down further API servers when one had failed (kubernetes#87794).",
		Hint: []string{
			"Two kubelets start from the same numbers. What makes them differ?",
			"Duration + rand.Float64() * Jitter * Duration is what Step returns, not what it stores.",
			"Jitter does not end when Steps does.",
		},
		Contract: []string{
			"drawn anew for each step and evenly distributed between 0 and Jitter * Duration, where Duration is the one that the step began with",
			"Jitter never goes into Duration: it does not add up.",
			"It bounds neither the jitter nor a Duration that was above it from the start",
			"one Backoff may be run many times, also concurrently",
		},
		Source: "apimachinery pkg/util/wait/backoff.go: delay (jitter is applied per step and is not cumulative)",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			p := Params{Duration: time.Second, Factor: 2, Jitter: 0.5, Steps: 5}
			growing(t, s.Backoff(p), p)
			flat := Params{Duration: time.Minute, Jitter: 0.5}
			even(t, s, flat, 3200)
			even(t, s, Params{Duration: time.Minute, Jitter: 3}, 1600)
			even(t, s, Params{Duration: time.Minute, Jitter: 3, Steps: 1000}, 400) // Factor is 0, and Steps are left
			even(t, s, Params{Duration: 100 * time.Microsecond, Jitter: 0.5}, 400)
			even(t, s, Params{Duration: time.Minute, Factor: 2, Jitter: 0.5, Steps: 3, Cap: time.Minute}, 400) // at its Cap after the first step
			even(t, s, Params{Duration: time.Minute, Factor: 1, Jitter: 0.5, Steps: 1, Cap: time.Hour}, 400)
			even(t, s, Params{Duration: time.Minute, Jitter: 0.5, Cap: time.Second}, 400)
			unused(t, s, Params{Duration: time.Minute, Jitter: 0.5, Steps: -1})
			unused(t, s, Params{Duration: time.Minute, Factor: 2, Jitter: 0.5, Steps: 1})
			unused(t, s, Params{Duration: time.Minute, Factor: 0.25, Jitter: 1, Steps: 1})
			unused(t, s, Params{Duration: time.Minute, Factor: 2, Jitter: 1, Steps: 1, Cap: time.Second})
			t.Virtual(func(t *conform.T) { sameMoment(t, s, flat) })
			for range 2 { // each goroutine has a Backoff of its own: what they share must be safe
				t.Go("loop", func(*conform.Actor) { s.Backoff(flat).Step() })
			}
			t.Join()
		},
	},
	{
		Name:   "step-model",
		Points: 4,
		Func:   "Backoff.Step",
		Rule:   "For any parameters Step returns what wait.Backoff returns, and leaves Duration and Steps as it does.",
		Why:    "Backoffs appear throughout Kubernetes' APIs; to read one you must know what Steps and Cap mean together.",
		Hint: []string{
			"Read the failing Backoff: is Factor 0, below 1, or is Steps used up when Cap is hit?",
		},
		Contract: []string{"It returns Duration, lengthened by Jitter.", "If Steps is not positive, Step leaves Duration alone and sets Steps to 0."},
		Source:   "apimachinery pkg/util/wait/backoff.go: delay",
		Check: func(t *conform.T, open func() Subject) {
			steps(t, open(), Params{Duration: -time.Second, Factor: 2, Steps: 1}, seconds(-1, -2, -2))
			steps(t, open(), Params{Duration: -time.Second}, seconds(-1, -1))
			for _, d := range seconds(1, 0) {
				for _, factor := range []float64{2, 0} {
					asNaive(t, open(), Params{Duration: d, Factor: factor, Steps: 2, Cap: time.Hour})
				}
			}
			model.Check(t, 300, func(rt *rapid.T, t *conform.T) {
				p := Params{
					// Whole seconds have nine factors of two: no product below is rounded.
					Duration: time.Duration(rapid.IntRange(0, 1000).Draw(rt, "duration")) * time.Second,
					Factor:   rapid.SampledFrom([]float64{0, 0.5, 1, 1.5, 2, 3}).Draw(rt, "factor"),
					Steps:    rapid.IntRange(-2, 8).Draw(rt, "steps"),
					Cap:      time.Duration(rapid.IntRange(0, 2000).Draw(rt, "cap")) * time.Second,
				}
				asNaive(t, open(), p)
			})
		},
	},
	{
		Name:   "run-waits-by-step",
		Points: 4,
		Func:   "Backoff.Run",
		Rule:   "Sliding, each wait is the next Step and begins when f has returned; Run does not change the Backoff it is called on.",
		Why:    "The default backoffs of client-go are package variables: a run that used one up would leave the next without a pause.",
		Hint: []string{
			"Who else uses the Backoff that Run was called on?",
			"The receiver is a value: step that copy.",
		},
		Contract: []string{
			"Between two calls it waits for the next Step",
			"If sliding is true the wait begins when f has returned.",
			"Run works on a copy: b itself is not changed, and one Backoff may be run many times, also concurrently.",
		},
		Source: "apimachinery pkg/util/wait/backoff.go: BackoffUntilWithContext (with sliding = true); apimachinery pkg/util/wait/backoff.go: Backoff.DelayFunc",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			p := Params{Duration: time.Second, Factor: 2, Steps: 9, Cap: 6 * time.Second}
			b := open().Backoff(p)
			run := func(ctx context.Context, f func(context.Context)) { b.Run(ctx, true, f) }
			for range 2 {
				at := startsOf(t, p, true, 6, always(time.Second), run)
				called(t, at, seconds(0, 2, 5, 10, 17, 24), "f takes 1s, the steps are 1s, 2s, 4s, 6s and 6s, and each begins when f has returned.")
				d := conform.Differ(p, b.Params())
				t.Require(d == "", "Run changed the Backoff that it was called on: %s.", d)
			}
			at := startsOf(t, p, true, 5, always(time.Hour), run)
			called(t, at, seconds(0, 3601, 7203, 10807, 14413), "f takes 1h, the steps are 1s, 2s, 4s and 6s however long f takes, and each begins when f has returned.")
			for _, step := range []time.Duration{1000 * time.Hour, 1500*time.Millisecond + 2001} {
				p := Params{Duration: step}
				c := open().Backoff(p)
				at := startsOf(t, p, true, 3, always(time.Second/4), func(ctx context.Context, f func(context.Context)) { c.Run(ctx, true, f) })
				each := step + time.Second/4
				called(t, at, []time.Duration{0, each, 2 * each}, fmt.Sprintf("f takes 250ms, and each step is %v and begins when f has returned.", step))
			}
			p = Params{Duration: time.Second, Factor: 2, Steps: 2}
			few := open().Backoff(p)
			at = startsOf(t, p, true, 6, always(0), func(ctx context.Context, f func(context.Context)) { few.Run(ctx, true, f) })
			called(t, at, seconds(0, 1, 3, 7, 11, 15), "f takes no time, the steps are 1s and 2s, and 4s from then on: Steps is how many of them may differ.")
			for _, sliding := range []bool{true, false} { // an f that takes no time makes no difference
				runs := func(p Params, why string, want ...float64) {
					b := open().Backoff(p)
					at := startsOf(t, p, sliding, len(want), always(0), func(ctx context.Context, f func(context.Context)) { b.Run(ctx, sliding, f) })
					called(t, at, seconds(want...), why)
				}
				runs(Params{Duration: time.Second, Factor: 2, Steps: 1}, "f takes no time, the first step is 1s, and the others are 2s.", 0, 1, 3, 5)
				runs(Params{Duration: 5 * time.Second, Cap: 3 * time.Second}, "f takes no time, and each step is 5s: Cap, of 3s, does not bound a Duration that was above it from the start.", 0, 5, 10, 15)
				runs(Params{Duration: 5 * time.Second, Factor: 2, Steps: 9, Cap: 3 * time.Second}, "f takes no time, the first step is 5s, for Cap, of 3s, does not bound a Duration that was above it from the start, and the others are 3s: it bounds the product.", 0, 5, 8, 11)
			}
			nested(t, b)
			for _, sliding := range []bool{true, false} {
				jitteredRun(t, open(), sliding, 0, 0)
				jitteredRun(t, open(), sliding, 0, time.Minute)
			}
		},
	},
	{
		Name:   "run-not-sliding",
		Points: 4,
		Func:   "Backoff.Run",
		Rule:   "Not sliding, each wait begins when f is called; an f that takes longer than the step is called again at once, and missed calls are not made up for.",
		Why:    "A RetryWatcher reopens a long-lived watch at once, and waits only when a watch breaks right after it was opened.",
		Hint: []string{
			"Make the timer before you call f, and wait for it afterwards.",
			"A ticker keeps its own beat and remembers a missed tick: the wait has to start anew with each call.",
		},
		Contract: []string{
			"Between two calls it waits for the next Step; if that is <= 0 it does not wait.",
			"when f takes longer than the step, the next call follows at once",
			"Calls never overlap and missed ones are not made up for.",
		},
		Source: "apimachinery pkg/util/wait/backoff.go: BackoffUntilWithContext (with sliding = false); client-go tools/watch/retrywatcher.go: RetryWatcher.receive",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			p := Params{Duration: 10 * time.Second}
			b := open().Backoff(p)
			run := func(ctx context.Context, f func(context.Context)) { b.Run(ctx, false, f) }
			at := startsOf(t, p, false, 4, always(3*time.Second), run)
			called(t, at, seconds(0, 10, 20, 30), "The step is 10s, f takes 3s, and the step begins when f is called.")
			slow := func(n int) time.Duration { return []time.Duration{25 * time.Second, 3 * time.Second}[min(n, 1)] }
			at = startsOf(t, p, false, 4, slow, run)
			called(t, at, seconds(0, 25, 35, 45), "The step is 10s and begins when f is called. The first call takes 25s, so the second follows at once and begins a step of its own; the others take 3s.")

			p = Params{Duration: 10 * time.Second, Factor: 2, Steps: 9}
			grown := open().Backoff(p)
			run = func(ctx context.Context, f func(context.Context)) { grown.Run(ctx, false, f) }
			slow = func(n int) time.Duration { return []time.Duration{100 * time.Hour, 0}[n%2] }
			at = startsOf(t, p, false, 5, slow, run)
			called(t, at, seconds(0, 360000, 360020, 720020, 720100), "The steps are 10s, 20s, 40s and 80s. The first and the third call take 100h, longer than their steps, which are over then; the others take no time.")

			for _, p := range []Params{{Duration: 5 * time.Second}, {Duration: 5 * time.Second, Factor: 2, Steps: 9}} {
				c, next := open().Backoff(p), p
				var lengths, due []time.Duration // a call of f takes exactly its step
				for moment := time.Duration(0); len(due) < 4; next = naive(next) {
					lengths, due = append(lengths, next.Duration), append(due, moment)
					moment += next.Duration
				}
				at := startsOf(t, p, false, 4, func(n int) time.Duration { return lengths[min(n, 3)] }, func(ctx context.Context, f func(context.Context)) { c.Run(ctx, false, f) })
				called(t, at, due, fmt.Sprintf("The steps are %s, and each begins when f is called. f takes exactly as long as its step, so the next call follows at once.", moments(lengths)))
			}
			jitteredRun(t, open(), false, 80*time.Second, 0)
			for _, step := range []time.Duration{0, -time.Second} {
				p := Params{Duration: step}
				c := open().Backoff(p)
				at := startsOf(t, p, false, 3, always(0), func(ctx context.Context, f func(context.Context)) { c.Run(ctx, false, f) })
				called(t, at, seconds(0, 0, 0), fmt.Sprintf("f takes no time, each step is %v, and Run does not wait.", step))
			}
			for _, step := range []time.Duration{0, -time.Second, 1500*time.Millisecond + 2001} {
				p := Params{Duration: step}
				c := open().Backoff(p)
				at := startsOf(t, p, false, 3, always(time.Second/4), func(ctx context.Context, f func(context.Context)) { c.Run(ctx, false, f) })
				each := max(step, time.Second/4)
				called(t, at, []time.Duration{0, each, 2 * each}, fmt.Sprintf("f takes 250ms, and each step is %v and begins when f is called.", step))
			}
		},
	},
}

// underWay ends the context of each loop in its second call of f, which takes some weeks more.
func underWay(t *conform.T, s Subject) {
	for name, loop := range loops(s, time.Hour) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour+time.Second)
		t.Ends(ctx)
		began, calls := t.Elapsed(), 0
		var running atomic.Bool
		var before context.Context // that the first call got
		f := func(ctx context.Context) {
			if calls++; calls == 1 {
				before = ctx
				return
			}
			t.Assert(before.Err() == nil, "The first call of f has returned, and the context that it got has ended: f gets the ctx of the loop, which goes on.")
			running.Store(true)
			<-ctx.Done()
			time.Sleep(1000 * time.Hour)
			running.Store(false)
		}
		a := t.Named("f")
		t.Do(func() { loop(ctx, func(ctx context.Context) { a.Do(func() { f(ctx) }, "f(ctx)") }) }, "%s, a step of 1h", name)
		cancel()
		t.Require(!running.Load(), "%s returned while f was still running: it waits for a call that is under way.", name)
		t.Require(calls == 2, "ctx ended in the second call of f, and %s called it %d times.", name, calls)
		t.OnTime(name+" returned", t.Elapsed(), began+1001*time.Hour+time.Second, "f returned")
	}
	for name, loop := range loops(s, time.Second) {
		patient(t, name, loop)
	}
}

// waitEnds ends the context of each loop some time after its first call, in the wait for a longer step.
func waitEnds(t *conform.T, s Subject, step, end time.Duration) {
	for name, loop := range loops(s, step) {
		ctx, cancel := context.WithTimeout(t.Context(), end)
		t.Ends(ctx)
		began, calls := t.Elapsed(), 0
		f := func(context.Context) {
			t.Require(calls < 100 || ctx.Err() != nil, "The wait is %v long, and %s called f 100 times within %v: it does not wait.", step, name, t.Elapsed()-began)
			stops(t, calls, 1)
			t.Do(func() { calls++ }, "f(ctx)")
		}
		t.Do(func() { loop(ctx, f) }, "%s, a step of %v", name, step)
		cancel()
		t.Require(calls == 1, "f is called once before the first wait, of %v, and %s called it %d times.", step, name, calls)
		t.OnTime(name+" returned", t.Elapsed()-began, end, "ctx was done")
	}
}

// endMeetsStep ends the context of each loop at the very moment at which a wait is over: another call
// may follow or not, and nothing is left.
func endMeetsStep(t *conform.T, s Subject, step time.Duration) {
	for name, loop := range loops(s, step) {
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), 2*step)
			began, calls := t.Elapsed(), 0
			f := func(context.Context) {
				stops(t, calls, 3)
				t.Do(func() { calls++ }, "f(ctx)")
			}
			t.Do(func() { loop(ctx, f) }, "%s, a step of %v, ctx ends after two", name, step)
			cancel()
			t.Require(calls == 2 || calls == 3, "The steps were %v long and f took no time, ctx ended after two steps, and %s called f %s.", step, name, conform.Count(calls, "time"))
			t.OnTime(name+" returned", t.Elapsed()-began, 2*step, "ctx was done")
		}
	}
}

// holdsNoMore has loops call f often, with a context that counts what has been registered with it and
// not signed off.
func holdsNoMore(t *conform.T, s Subject) {
	const calls, enough = 100, 20
	for name, loop := range loops(s, time.Second) {
		ctx, n := conform.NewRegistry(t.Context()), 0
		call := t.Call("%s, cancelled in call %d of f", name, calls)
		loop(ctx, func(context.Context) {
			stops(t, n, calls)
			if n++; n == calls {
				held := ctx.End()
				t.Assert(held < enough, "In call %d of f, %s were registered with the context of %s: each round leaves one behind, a context that is not cancelled or a function that is not stopped.", calls, conform.Count(held, "function"), name)
			}
		})
		call.Returned("")
	}
}

// growsNoMore has loops call f often, and looks at stack and heap several times. What the process allocates
// beside them is not there each time.
func growsNoMore(t *conform.T, s Subject) {
	const every, looks, enough = 3000, 4, 8 << 10 // calls, looks, bytes
	for name, loop := range loops(s, time.Nanosecond) {
		ctx, cancel := context.WithCancel(t.Context())
		n, last, least, deep := 0, int64(0), int64(math.MaxInt64), depth()
		call := t.Call("%s, a step of 1ns, every other call of f takes 2ns, cancelled in call %d", name, every*looks)
		loop(ctx, func(context.Context) {
			stops(t, n, every*looks)
			if n++; n%every != 0 {
				time.Sleep(time.Duration(n%2) * 2) // every other call takes longer than the step
				return
			}
			deeper := depth() - deep
			t.Require(deeper < 100, "In call %d of f the stack was %d or more function calls deeper than before the loop: %s calls itself again and again where it should loop.", n, deeper, name)
			heap := probe.Heap()
			if n > every {
				least = min(least, heap-last)
			}
			if last = heap; n == every*looks {
				cancel()
			}
		})
		call.Returned("")
		cancel()
		t.Assert(least < enough, "Each %d calls of f the heap grew by %d bytes or more: %s keeps something of every call, or of each that takes longer than the step.", every, least, name)
	}
}

// callsItself has Run call f with steps of all kinds, and looks at the stack. Of three calls of f one takes longer
// than the least step, one as long, and one no time.
func callsItself(t *conform.T, s Subject) {
	const calls, enough = 400, 100
	for _, p := range []Params{
		{Duration: 1}, {Duration: 1, Factor: 1, Steps: 2 * calls}, {Duration: 1, Factor: 2, Steps: 9}, {Duration: 1, Factor: 2, Steps: 9, Cap: 3},
		{Duration: 1, Jitter: 1}, {}, {Duration: -1},
	} {
		for _, sliding := range []bool{true, false} {
			b, n, deep := s.Backoff(p), 0, depth()
			ctx, cancel := context.WithCancel(t.Context())
			call := t.Call("Backoff%+v.Run(ctx, %v, f), cancelled in call %d of f", p, sliding, calls)
			b.Run(ctx, sliding, func(context.Context) {
				stops(t, n, calls)
				if n++; n < calls {
					time.Sleep(time.Duration(n % 3))
					return
				}
				cancel()
				deeper := depth() - deep
				t.Require(deeper < enough, "In call %d of f the stack was %d or more function calls deeper than before the loop: Run calls itself again and again where it should loop.", n, deeper)
			})
			call.Returned("")
			cancel()
		}
	}
}

// depth is how many function calls deep the stack is, as far as it counts.
func depth() int { return runtime.Callers(0, make([]uintptr, 1<<9)) }

// leavesNoTimer runs each loop often, and ends it when f is called, or when it waits or is about to. A timer that nobody waits for
// is collected, but not if it has a function to call.
func leavesNoTimer(t *conform.T, s Subject, when string, end func(context.CancelFunc)) {
	const runs, enough = 2000, 64 << 10 // bytes
	for name, loop := range loops(s, 1000*time.Hour) {
		run := func() {
			ctx, cancel := context.WithCancel(context.Background())
			loop(ctx, func(context.Context) { end(cancel) })
		}
		run()
		before := probe.Heap()
		call := t.Call("%d times: %s, a step of 1000h, cancelled %s", runs, name, when)
		for range runs {
			run()
		}
		call.Returned("")
		grown := probe.Growth(before, enough)
		t.Require(grown < enough, "%d runs of %s, with a step of 1000h, were cancelled %s, and when all had returned they still held %d bytes: each has left something behind, such as a timer of time.AfterFunc that was not stopped.", runs, name, when, grown)
	}
}

// loops are all the loops of this lab, with a step of d.
func loops(s Subject, d time.Duration) map[string]func(context.Context, func(context.Context)) {
	b := s.Backoff(Params{Duration: d})
	return map[string]func(context.Context, func(context.Context)){
		"Until":            func(ctx context.Context, f func(context.Context)) { s.Until(ctx, d, f) },
		"Run, sliding":     func(ctx context.Context, f func(context.Context)) { b.Run(ctx, true, f) },
		"Run, not sliding": func(ctx context.Context, f func(context.Context)) { b.Run(ctx, false, f) },
	}
}

// neverAfterDone cancels a loop in its third call, and starts it with a context that is done.
func neverAfterDone(t *conform.T, name string, loop func(context.Context, func(context.Context)), took time.Duration) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := 0
	f := func(context.Context) {
		call := t.Call("f(ctx%s)", state(ctx))
		stops(t, calls, 3)
		if calls == 3 {
			t.Breaks("f is called, and ctx has ended")
		}
		time.Sleep(took)
		if calls++; calls == 3 {
			t.Do(cancel, "cancel()")
		}
		call.Returned("")
	}
	t.Do(func() { loop(ctx, f) }, "%s, f cancels in its third call", name)
	t.Require(calls == 3, "ctx ended in the third call of f, and %s called it %d times.", name, calls)
	t.Do(func() { loop(ctx, f) }, "%s, with a ctx that has ended", name)
	t.Require(calls == 3, "ctx had ended before %s began, and it called f %d times.", name, calls-3)
}

// outlasts has the deadline of a loop pass in the first call of f.
func outlasts(t *conform.T, name string, loop func(context.Context, func(context.Context))) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	t.Ends(ctx)
	calls := 0
	f := func(context.Context) {
		call := t.Call("f(ctx%s)", state(ctx))
		t.Require(calls < 100, "The deadline of ctx passed in call 1 of f, so its Err is %s, and %s called f 100 times after that: it does not stop.", conform.Said(ctx.Err()), name)
		calls++
		time.Sleep(2 * time.Second)
		call.Returned("")
	}
	t.Do(func() { loop(ctx, f) }, "%s, the deadline of ctx is in the first call of f", name)
	t.Require(calls == 1, "The deadline of ctx was in the first call of f, and %s called it %d times.", name, calls)
}

// fPanics has f panic in each loop, after it has done first, and requires that none recovers the panic.
func fPanics(t *conform.T, s Subject, first func(context.CancelFunc), what string) {
	panics, called := map[string]*conform.Fatal{}, map[string]*atomic.Bool{}
	for name, loop := range loops(s, time.Hour) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		fatal, a, once := t.Fatal(), t.Named("%s", name), &atomic.Bool{}
		panics[name], called[name] = fatal, once
		go a.Do(func() {
			loop(ctx, func(context.Context) {
				if once.CompareAndSwap(false, true) {
					first(cancel)
					a.Note("f panics")
					panic(fatal)
				}
			})
		}, "%s", name)
	}
	t.Wait()
	for name, fatal := range panics {
		ends := fatal.Unrecovered()
		t.Require(ends || called[name].Load(), "Until and Run were called side by side, and %s has not called f: the loops share something that one of them holds.", name)
		t.Require(ends, "Within %s %s, and the panic did not end the process: it was recovered.", name, what)
	}
}

// patient calls a loop with an f that takes a day: the context that f gets is the loop's, with its
// values and its deadline, and ends with it and not before.
func patient(t *conform.T, name string, loop func(context.Context, func(context.Context))) {
	type key struct{}
	ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, name), 48*time.Hour)
	defer cancel()
	want, _ := ctx.Deadline()
	call := t.Call("%s, f takes 24h and cancels then", name)
	loop(ctx, func(given context.Context) {
		if ctx.Err() != nil {
			t.Fatalf("The context of the loop ended in a call of f, and f is called once more.")
		}
		deadline, _ := given.Deadline()
		t.Assert(!deadline.IsZero(), "The context of the loop ends after 48h, and f got one without a deadline: it is not derived from the loop's.")
		t.Assert(deadline.Equal(want), "The context of the loop ends after 48h, and f got one that ends after %v.", time.Until(deadline))
		t.Assert(given.Value(key{}) == name, "The context that f got does not have the values of the loop's: it is not derived from it.")
		select {
		case <-given.Done():
			t.Errorf("The context that f got ended before the loop's, with %s.", conform.Said(given.Err()))
		case <-time.After(24 * time.Hour):
		}
		t.Do(cancel, "cancel()")
	})
	call.Returned("")
}

// even draws from two equal Backoffs of a constant Duration: each part of what Jitter allows gets its share of
// the draws, give or take eight standard deviations. A part is a twentieth for 3200 draws, a fourth for few.
// Hardly two draws are equal.
func even(t *conform.T, s Subject, p Params, draws int) {
	parts, few := max(4, draws/160), draws*5/16
	share := float64(draws) / float64(parts)
	off := 8 * math.Sqrt(share*(1-1/float64(parts)))
	b, other := s.Backoff(p), s.Backoff(p)
	longest := time.Duration(p.Jitter * float64(p.Duration))
	counts := make([]int, parts)
	lengths := map[time.Duration]bool{}
	equal := 0
	for range draws {
		got := jitteredStep(t, b, p)
		lengths[got] = true
		if got == jitteredStep(t, other, p) {
			equal++
		}
		counts[min(time.Duration(parts-1), time.Duration(parts)*(got-p.Duration)/longest)]++
	}
	lacks := fmt.Sprintf("Duration is %v and stays so, Jitter is %v, Steps began with %d and Cap is %v, so each step is lengthened by something new, evenly distributed between 0s and %v.", p.Duration, p.Jitter, p.Steps, p.Cap, longest)
	t.Require(len(lengths) > 1, "All of %d steps were equally long. %s", draws, lacks)
	for i, n := range counts {
		from, to := time.Duration(i)*longest/time.Duration(parts), time.Duration(i+1)*longest/time.Duration(parts)
		t.Require(math.Abs(float64(n)-share) < off, "In %d of %d steps something between %v and %v was added. That is one of %d equal parts of what may be added, so it should get about %.0f of them. %s", n, draws, from, to, parts, share, lacks)
	}
	t.Require(len(lengths) > few, "%d steps had only %d different lengths: many who use such a Backoff would retry at the same moment. %s", draws, len(lengths), lacks)
	t.Require(equal < draws, "Two equal Backoffs drew the same jitter in each of %d steps: all who use one would retry at the same moment.", draws)
}

// unused takes the first step of many Backoffs. One of them, at least, gets more than half of the jitter.
func unused(t *conform.T, s Subject, p Params) {
	const n = 60
	half := p.Duration + time.Duration(p.Jitter*float64(p.Duration)/2)
	longest := time.Duration(0)
	for range n {
		if longest = max(longest, jitteredStep(t, s.Backoff(p), p)); longest > half {
			return
		}
	}
	began := fmt.Sprintf("%d equal Backoffs began with Duration %v, Factor %v, Jitter %v, Steps %d and Cap %v.", n, p.Duration, p.Factor, p.Jitter, p.Steps, p.Cap)
	t.Require(longest > p.Duration, "%s The first step of each was %v long: none was lengthened.", began, p.Duration)
	t.Fatalf("%s The longest of their first steps was %v. Each is lengthened by something evenly distributed between 0s and Jitter * Duration, where Duration is the one that the step began with, so half of them should have been above %v.", began, longest, half)
}

// sameMoment takes many steps while no time passes.
func sameMoment(t *conform.T, s Subject, p Params) {
	const n = 20
	b, lengths := s.Backoff(p), map[time.Duration]bool{}
	for range n {
		lengths[jitteredStep(t, b, p)] = true
	}
	t.Require(len(lengths) > 1, "%d steps that were taken at the same moment were equally long: those who fail together would retry together.", n)
}

// growing takes the steps of a Backoff that doubles and has jitter.
func growing(t *conform.T, b Backoff, p Params) {
	for range 8 {
		jitteredStep(t, b, p)
		p = naive(p)
		d := conform.Differ(p, b.Params())
		t.Require(d == "", "A step had jitter, which goes into none of the fields, and after it %s.", d)
	}
}

// jitteredStep takes one step and looks at its range.
func jitteredStep(t *conform.T, b Backoff, p Params) time.Duration {
	got := conform.Do(t.Actor, b.Step, "Step() at Duration %v, Jitter %v", p.Duration, p.Jitter)
	t.Require(got >= p.Duration, "Step returned %v, less than Duration (%v): jitter only ever lengthens.", got, p.Duration)
	longest := p.Duration + time.Duration(math.Ceil(p.Jitter*float64(p.Duration)))
	t.Require(got <= longest, "Step returned %v, more than Duration (%v) and a jitter of %v times that.", got, p.Duration, p.Jitter)
	return got
}

// asNaive takes steps of a Backoff without jitter, and looks at its fields after each.
func asNaive(t *conform.T, s Subject, p Params) {
	t.Note("Backoff%+v", p)
	b := s.Backoff(p)
	for range 12 {
		got := conform.Do(t.Actor, b.Step, "Step()")
		t.Require(got == p.Duration, "Step returned %v, and Duration was %v: it returns Duration, for there is no jitter.", got, p.Duration)
		before := p
		p = naive(p)
		d := conform.Differ(p, b.Params())
		t.Require(d == "", "Step was called with Duration %v, Factor %v, Steps %d and Cap %v, and after it %s.", before.Duration, before.Factor, before.Steps, before.Cap, d)
	}
}

// jitteredRun runs a Backoff with jitter: its waits are between Duration and twice that, and differ. An f that
// took longer than a step that has no jitter is called at once if it took longer than its own step, too. Limit is
// the Cap, which does not bound the jitter.
func jitteredRun(t *conform.T, s Subject, sliding bool, took, limit time.Duration) {
	p := Params{Duration: time.Minute, Jitter: 1, Cap: limit}
	b := s.Backoff(p)
	at := startsOf(t, p, sliding, 20, always(took), func(ctx context.Context, f func(context.Context)) { b.Run(ctx, sliding, f) })
	t.Require(len(at) == 20, "The context ended in call 20 of f, and Run called it %s.", conform.Count(len(at), "time"))
	lengths := map[time.Duration]bool{}
	for i, begin := range at[1:] {
		wait := begin - at[i]
		t.Require(wait >= max(p.Duration, took) && wait <= 2*p.Duration, "f takes %v, each step is between 1m and 2m, and call %d of f began %v after the one before.", took, i+2, wait)
		lengths[wait] = true
	}
	t.Require(len(lengths) > 1 || took == 0, "Each step begins when f is called and is 1m, lengthened by up to 1m, drawn anew. f takes %v, and each of 19 calls began when the one before had returned. Some of their steps were longer than f took: Run did not wait for the rest of these.", took)
	t.Require(len(lengths) > 1 || limit == 0, "Each step is 1m, lengthened by up to 1m, drawn anew, and f takes no time. Cap, of %v, does not bound the jitter. All of 19 waits of Run were equally long.", limit)
	t.Require(len(lengths) > 1, "Each step is lengthened by up to 1m, drawn anew, and f takes no time: all of 19 waits of Run were equally long.")
}

// nested runs a Backoff in a call that a run of it makes.
func nested(t *conform.T, b Backoff) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := 0
	t.Do(func() {
		b.Run(ctx, true, func(ctx context.Context) {
			b.Run(ctx, true, func(context.Context) {
				calls++
				t.Do(cancel, "cancel()")
			})
		})
	}, "Run of a Backoff, in whose f the same Backoff is run")
	t.Require(calls == 1, "A Backoff was run in a call that a run of it made, ctx ended in the first call of the inner f, and it was called %d times.", calls)
}

// startsOf is starts for Run, with the call in the history.
func startsOf(t *conform.T, p Params, sliding bool, calls int, took func(int) time.Duration, run func(context.Context, func(context.Context))) []time.Duration {
	return conform.Do(t.Actor, func() []time.Duration { return starts(t, calls, took, run) }, "Backoff%+v.Run(ctx, %v, f)", p, sliding)
}
