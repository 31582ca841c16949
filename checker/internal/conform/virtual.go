package conform

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// aCentury is by how much a bubble's clock, which begins in the year 2000, is put forward before a
// scenario begins. A package variable that holds the time at which the process began is then in the
// past of the scenario, as it is in that of every program.
const aCentury = 100 * 365 * 24 * time.Hour

// Virtual runs scenario in a synctest bubble: its clock stands still while any
// goroutine can run and jumps to the next timer when none can, so an hour costs
// nothing and a sleep is exact. It is for rules about time.
//
// When the scenario returns, its context is cancelled and virtual time runs on
// for an hour. A goroutine that is left then has leaked. A bubble in which all
// goroutines block for ever is reported as a deadlock at once.
//
// Its goroutines share one processor: they take turns, at every call that blocks and wherever
// the subject is made to yield, and no two of them run at the very same moment.
//
// Two limits of bubbles to write around. A goroutine that waits for a mutex does
// not count as blocked, so a subject that sleeps while it holds a lock that
// another wants stops the clock: the checker then looks again on the real clock
// before it blames anyone. And Wait orders what came before it, which can hide a
// race: race scenarios belong in Copies, outside a bubble.
func (t *T) Virtual(scenario func(t *T)) {
	if t.run.config.NoBubble {
		t.scenario(t.tb, false, scenario)
		return
	}
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if s := fmt.Sprint(p); s == "deadlock: all goroutines in bubble are blocked" {
			t.run.exit(wire.Record{Kind: wire.Stuck, Dump: dump(), History: t.run.histories()})
		} else if s == "deadlock: main bubble goroutine has exited but blocked goroutines remain" {
			return // drain has reported it
		}
		panic(p)
	}()
	defer oneProcessor()()
	synctest.Test(t.tb, func(tb *testing.T) { t.scenario(tb, true, scenario) })
}

func (t *T) scenario(tb *testing.T, bubble bool, scenario func(t *T)) {
	if bubble {
		time.Sleep(aCentury)
	}
	ctx, cancel := context.WithCancel(context.Background())
	inner := t.run.newT(tb, ctx, t.copy, bubble)
	defer func() {
		if p := recover(); p != nil {
			t.run.crashed(inner, p)
			panic(p)
		}
		cancel()
		if bubble {
			inner.drain()
		}
	}()
	scenario(inner)
	inner.Join()
}

// Wait returns when every other goroutine of the scenario is blocked. In a bubble
// that is exact; on the real clock it is when two looks in a row saw none running.
func (t *T) Wait() {
	if t.bubble {
		synctest.Wait()
		return
	}
	settle()
}

// Waiting is how many goroutines of this bubble, its caller aside, wait for something. One
// that is on its way out does not count. Outside a bubble it is 0.
func (t *T) Waiting() int {
	n := 0
	for _, g := range t.leftovers() {
		if g.Blocked() {
			n++
		}
	}
	return n
}

// drain lets virtual time run on, so that goroutines that were asked to stop can end, and
// reports those that did not. It looks once more after a minute even if none is left: what
// a timer of the subject starts later has leaked as well.
func (t *T) drain() {
	time.Sleep(time.Minute + time.Second)
	for _, pause := range []time.Duration{0, time.Hour} {
		time.Sleep(pause)
		synctest.Wait()
		if len(t.leftovers()) == 0 {
			return
		}
	}
	if t.Failed() {
		return
	}
	t.run.leaked(t, t.leftovers(), "")
}

// leftovers are the goroutines of this bubble that the subject runs or started.
func (t *T) leftovers() []goroutine.Goroutine {
	all := goroutine.Parse(dump())
	if len(all) == 0 {
		return nil
	}
	self := all[0] // runtime.Stack puts the caller first
	var left []goroutine.Goroutine
	for _, g := range all[1:] {
		if g.Bubble == self.Bubble && g.Bubble != 0 && !harness(g) {
			left = append(left, g)
		}
	}
	return left
}

// harness reports whether g is one of the goroutines that carry the bubble itself.
func harness(g goroutine.Goroutine) bool {
	for _, f := range g.Frames {
		switch f.Func {
		case "testing/synctest.Test", "testing/synctest.Test.func1":
			return true
		}
	}
	return false
}
