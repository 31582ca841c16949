package conform

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// T is the suite's side of one running scenario. It has assertions of its own, because
// testify's would link net/http into every lab (docs/decisions/0004).
//
// The first failure of a case is the one reported, with the history as it stood
// then; later ones are usually its echo. A message is a sentence about the
// learner's code: "Get returned before anything was added", never "not equal".
type T struct {
	*Actor // wire.Scenario: the scenario itself

	run  *run
	tb   *testing.T // ends the goroutine in FailNow; nil in a copy
	ctx  context.Context
	seed uint64
	rng  *rand.Rand
	copy int // 1-based, 0 where the scenario runs once

	bubble bool // inside synctest: time is virtual

	spawned sync.WaitGroup // goroutines started by Go

	mu     sync.Mutex // guards actors
	actors []*Actor

	attempt *Attempt // set where failures belong to a model checker, not to the case
}

// run is what all scenarios of one case share.
type run struct {
	tb     *testing.T
	config wire.Config
	seed   uint64
	began  time.Duration // processor time of the process when the case began

	scenarios atomic.Int64 // begun, where their events are sent
	failing   sync.Mutex   // held while a failure is reported

	mu      sync.Mutex // guards the fields below
	failed  bool
	maimed  bool         // a goroutine of the subject was ended: what others wait for may never come
	live    []*T         // scenarios under way, for the watchdog
	retired []wire.Event // the longest history of those that are no longer
	crash   *Attempt     // the last attempt of a model checker in which the subject panicked
	over    map[int]bool // once the case is over: the goroutines that were there before it
}

func (r *run) newT(tb *testing.T, ctx context.Context, copy int, bubble bool) *T {
	t := &T{
		run:    r,
		tb:     tb,
		ctx:    ctx,
		copy:   copy,
		bubble: bubble, // before the watchdog can see it
		seed:   mix(r.seed, uint64(copy)),
	}
	t.rng = rand.New(rand.NewPCG(t.seed, uint64(copy)))
	sender := r.sender()
	t.Actor = &Actor{who: sender.name(wire.Scenario), start: time.Now(), live: sender}
	t.actors = []*Actor{t.Actor}
	r.mu.Lock()
	r.live = append(r.live, t)
	r.mu.Unlock()
	return t
}

// mix spreads consecutive seeds (splitmix64's finaliser).
func mix(seed, n uint64) uint64 {
	z := seed + (n+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Context ends when the scenario has returned and so has what it started with Go: a
// goroutine of Go that waits for it would wait for ever. Inside Virtual it belongs to the
// bubble.
func (t *T) Context() context.Context { return t.ctx }

// Rand is the scenario's random source: the same seed, the same numbers. It is
// for the scenario's own goroutine; others take Seed and make their own.
func (t *T) Rand() *rand.Rand { return t.rng }

// Seed is the seed of this scenario (each copy has its own).
func (t *T) Seed() uint64 { return t.seed }

// Elapsed is the time since the scenario began: virtual inside Virtual.
func (t *T) Elapsed() time.Duration { return time.Since(t.start) }

// Named adds an actor to the history, for a goroutine of the suite.
func (t *T) Named(format string, args ...any) *Actor {
	a := &Actor{who: t.live.name(fmt.Sprintf(format, args...)), start: t.start, live: t.live}
	t.mu.Lock()
	t.actors = append(t.actors, a)
	t.mu.Unlock()
	return a
}

// Go starts f as the actor who. Join waits for it.
func (t *T) Go(who string, f func(a *Actor)) {
	a := t.Named("%s", who)
	t.spawned.Go(func() {
		// A panic ends the process even though it is recovered here: only the history is wanted.
		defer func() {
			if p := recover(); p != nil {
				t.run.crashed(t, p)
				panic(p)
			}
		}()
		f(a)
	})
}

// Join blocks until every goroutine started by Go has returned. If the subject
// keeps one of them blocked for ever, the verdict is a deadlock.
func (t *T) Join() { t.spawned.Wait() }

// Require ends the scenario unless ok is true, with a failure in these words. Only the
// scenario's own goroutine may call it.
func (t *T) Require(ok bool, format string, args ...any) {
	if !ok {
		t.Fatalf(format, args...)
	}
}

// Assert marks the case failed unless ok is true, and lets it go on. It returns ok.
func (t *T) Assert(ok bool, format string, args ...any) bool {
	if !ok {
		t.Errorf(format, args...)
	}
	return ok
}

// Errorf marks the case failed and lets it go on.
func (t *T) Errorf(format string, args ...any) { t.fail(fmt.Sprintf(format, args...)) }

// FailNow marks the case failed and ends the calling goroutine, which must be
// the scenario's own.
func (t *T) FailNow() {
	if t.attempt != nil {
		t.attempt.stop()
	}
	t.fail("the case failed")
	if t.tb != nil {
		t.tb.FailNow()
	}
	runtime.Goexit()
}

// Fatalf is Errorf and FailNow.
func (t *T) Fatalf(format string, args ...any) {
	t.fail(fmt.Sprintf(format, args...))
	t.FailNow()
}

// Failed reports whether any scenario of the case has failed.
func (t *T) Failed() bool {
	t.run.mu.Lock()
	defer t.run.mu.Unlock()
	return t.run.failed
}

// fail marks the case failed, and reports its first failure. Those after it wait for that and are
// not reported: a history of a thousand calls takes milliseconds, a dump stops the world, and some
// mistakes break the rule with each call.
func (t *T) fail(message string) {
	if t.tb != nil {
		t.tb.Fail()
	}
	failed, report := t.Failed, t.report
	if t.attempt != nil {
		failed, report = t.attempt.Failed, t.attempt.note
	}
	t.run.failing.Lock()
	defer t.run.failing.Unlock()
	if failed() {
		return
	}
	past := t.past(message)
	report(failure{message: message, past: past, waiting: t.waiting(past)})
}

// failure is all that is known of a rule that was broken.
type failure struct {
	message string
	past    []wire.Event
	waiting string // a dump of the subject's goroutines that are blocked
}

// waiting are the goroutines of the subject that are blocked now, if a call has not returned:
// where they stand may be why. Of many copies side by side nobody could tell whose they are.
func (t *T) waiting(past []wire.Event) string {
	if t.copy > 0 || !slices.ContainsFunc(past, func(e wire.Event) bool { return e.Open }) {
		return ""
	}
	all := goroutine.Parse(dump())
	bubble := all[0].Bubble
	return render(slices.DeleteFunc(all, func(g goroutine.Goroutine) bool {
		return g.Bubble != bubble || !g.Blocked() || !g.Touches(t.run.config.Subjects...)
	}))
}

// past is the history, and at its end the moment at which the case fails: the break itself,
// unless somebody has seen it happen before.
func (t *T) past(message string) []wire.Event {
	events := t.History()
	seen := slices.ContainsFunc(events, func(e wire.Event) bool { return e.Broke })
	last := 0
	for _, e := range events {
		last = max(last, e.Began, e.Returned)
	}
	return append(events, wire.Event{
		Who: t.who, At: t.Elapsed(), What: printable.Clip(message, maxEventText),
		Began: last + 1, Broke: !seen, Checked: seen,
	})
}

func (t *T) report(f failure) {
	t.run.mu.Lock()
	first := !t.run.failed
	t.run.failed = true
	t.run.mu.Unlock()
	if !first {
		return
	}
	wire.Send(wire.Record{Kind: wire.Failure, Message: f.message, Dump: f.waiting, History: f.past, Copy: t.copy})
	t.run.print(f.message, f.past)
}

// everybody are the actors of the scenario.
func (t *T) everybody() []*Actor {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.actors)
}

// latest is when a call began or returned last, in real time.
func (t *T) latest() time.Duration {
	var latest time.Duration
	for _, a := range t.everybody() {
		for _, e := range a.log.copy() {
			latest = max(latest, e.began, e.returned)
		}
	}
	return latest
}

// Spent is which part of its processor time the case has used, from 0 to 1. It is for scenarios that
// ask more of fast code than right code has to give, so that slow code is asked for less and does not run
// out of time.
func (t *T) Spent() float64 {
	return float64(cpuTime()-t.run.began) / float64(time.Duration(t.run.config.CPU)*time.Second)
}

// History is what has happened so far.
func (t *T) History() []wire.Event { return history(t.everybody()) }
