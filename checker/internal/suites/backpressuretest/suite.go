// Package backpressuretest is the conformance suite of lab 03.
//
// What it can miss: a value that is lost, or a wake-up, only on schedules which 32
// copies on this machine never meet; a pump, or a Send, that wakes up to look less than once in two
// weeks; a pump that keeps a few hundred slots more than the 1024
// of the contract, because the heap is measured and not the slots; a Run that does not look at ctx when a value has
// woken it, unless it asks for ctx.Done() each time it goes to sleep, because ctx may also end right after a look; a
// Bounded that goes wrong beyond some ten thousand values, and a Pump beyond two hundred thousand; a waiting
// Send that takes the room made while Close is called; a panic that is recovered and raised again with the same value.
//
// Memory is looked at from outside. Weak pointers say whether a value is still
// referenced: they have no false alarms, since a collected object is gone for good,
// and the collector is asked several times before one that is not gone is blamed. The
// size of a buffer shows in the bytes of the heap after a collection, with bounds
// so far apart that what else lives there does not matter: by a factor of four and more for
// small values, and by megabytes for values of a kilobyte.
//
// The rule that a handler's panic skips one item and waits a second (processorListener.run)
// has no case: there it is the policy of one caller, and this pump hands the panic to
// its caller. Nor has the rule that one value costs 1.3 µs: no suite asserts real time.
package backpressuretest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// Policy is the subject's Policy; the bridge translates.
type Policy int

// The policies, by the subject's names.
const (
	Block Policy = iota
	DropNewest
	DropOldest
)

// String is the name in the history.
func (p Policy) String() string { return [...]string{"Block", "DropNewest", "DropOldest"}[p] }

var allPolicies = []Policy{Block, DropNewest, DropOldest}

// BoundedOf is a subject's Bounded[T].
type BoundedOf[T any] interface {
	Send(ctx context.Context, v T) error
	Out() <-chan T
	Dropped() int
	Close()
}

// Bounded is the one that most cases use.
type Bounded = BoundedOf[int]

// Item is what goes through a pump. It is large enough to be an object of its own
// for the garbage collector: tiny ones share a block and are freed with it.
type Item struct {
	ID   int
	From int // which sender, where there are several
	_    [6]uint64
}

// idOf is the item's ID, or -1 for a nil that a pump has made up.
func idOf(v *Item) int {
	if v == nil {
		return -1
	}
	return v.ID
}

// nameOf is a value as messages have it, by its ID.
func nameOf(id int) string {
	if id < 0 {
		return "nil, which nobody has added"
	}
	return fmt.Sprintf("value %d", id)
}

// Page is a value so large that the room that a buffer has for it shows in the heap.
type Page [1024]byte

// PumpOf is a subject's Pump[T].
type PumpOf[T any] interface {
	Add(v T) bool
	Len() int
	Run(ctx context.Context, handle func(v T)) error
	Close()
}

// Pump is the one that most cases use.
type Pump = PumpOf[*Item]

// Subject is lab 03 as the suite sees it.
type Subject struct {
	TrySend          func(ch chan<- int, v int) bool
	NewBounded       func(capacity int, p Policy) Bounded
	NewBoundedErrors func(capacity int, p Policy) BoundedOf[error]
	NewPump          func() Pump
	NewPumpPages     func() PumpOf[Page]
	NewPumpErrors    func() PumpOf[error]

	ErrFull, ErrClosed, ErrStarted error
}

// Lab describes lab 03 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "03-backpressure",
		Title:  "Backpressure",
		Builds: "what to do when the buffer is full: wait, refuse, drop, or grow",
		Files:  []string{"trysend.go", "bounded.go", "pump.go"},
		Cases:  conform.Describe(Cases()),
	}
}

// Cases returns the claims of the suite.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// moments is how often a case outside Copies meets one moment, with all processors to itself:
// two steps of the subject that stand in the wrong order show only on rare schedules.
const moments = 2_000

// errCause is the cause of contexts that end: ctx.Err() never returns it.
var errCause = errors.New("the cause of the context's end")

// bounded makes a buffer and writes it into the history.
func bounded(t *conform.T, s Subject, capacity int, p Policy) Bounded {
	call := t.Call("NewBounded(%d, %v)", capacity, p)
	b := s.NewBounded(capacity, p)
	call.Returned("b")
	return b
}

// send calls Send as the actor a.
func send(a *conform.Actor, ctx context.Context, b Bounded, v int) error {
	return conform.Do(a, func() error { return b.Send(ctx, v) }, "b.Send(ctx, %d)", v)
}

// put sends values for which there is room.
func put(t *conform.T, b Bounded, values ...int) {
	for _, v := range values {
		err := send(t.Actor, t.Context(), b, v)
		t.Require(err == nil, "There was room in the buffer for %d, and Send returned %s: it should have accepted it and returned nil.", v, conform.Said(err))
	}
}

// gives requires that a call returned want itself, which is what its name says.
func gives(t *conform.T, err, want error, name, call string) {
	t.Require(err == want, "%s returned %s, and should have returned %s.", call, conform.Said(err), name)
}

// sequence requires the values of want and no others, in this order. What says what they are.
func sequence(t *conform.T, what string, got, want []int) {
	const few = 10
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	switch {
	case at == len(got) && at == len(want):
	case len(want) <= few && len(got) <= few:
		t.Fatalf("%s should be %v, and is %v.", what, want, got)
	case at == len(got):
		t.Fatalf("%s ends after %s of %d: %d is the first that is missing.", what, conform.Count(at, "value"), len(want), want[at])
	case at == len(want):
		t.Fatalf("%s goes on after all %d values, with %d.", what, at, got[at])
	default:
		t.Fatalf("%s is wrong after %d of %d values: %d comes next, and %d should. %s", what, at, len(want), got[at], want[at], amiss(got, want))
	}
}

// amiss says in which way got is not want, whose values are all different: lost, twice, out of order.
func amiss(got, want []int) string {
	const few = 8
	times := map[int]int{}
	for _, v := range got {
		times[v]++
	}
	var lost, twice []int
	for _, v := range want {
		if times[v] == 0 {
			lost = append(lost, v)
		} else if times[v] > 1 {
			twice = append(twice, v)
		}
	}
	if len(lost)+len(twice) == 0 {
		return "In all no value is missing and none comes twice: their order is another."
	}
	some := func(what string, values []int) string {
		if len(values) == 0 {
			return "no value " + what
		}
		return fmt.Sprintf("%s %s (%v …)", conform.Count(len(values), "value"), what, values[:min(few, len(values))])
	}
	return fmt.Sprintf("In all %s and %s.", some("missing", lost), some("more than once", twice))
}

// hasDropped requires of the counter of b what the policy has dropped.
func hasDropped(t *conform.T, b Bounded, want int) {
	saysDropped(t, conform.Do(t.Actor, b.Dropped, "b.Dropped()"), want)
}

// saysDropped requires that an answer of Dropped is right.
func saysDropped(t *conform.T, got, want int) {
	t.Require(got == want, "The policy has dropped %s, and Dropped says %d.", conform.Count(want, "value"), got)
}

// untouched requires that what was in a buffer before a Send that was refused has been received.
func untouched(t *conform.T, refused string, got, before []int) {
	t.Require(len(got) >= len(before), "%s. Before that the buffer had accepted %v, and of these only %v could be received: a Send that is refused takes nothing out of the buffer.", refused, before, got)
}

// asleep requires that nothing of the subject runs while time passes. It begins with a short time,
// so that code that polls often is found out soon.
// A bubble's clock ends in the year 2262, and a case may call asleep twice.
func asleep(t *conform.T, while, rule string) {
	for _, quiet := range []time.Duration{time.Second, time.Minute, time.Hour, 24 * time.Hour, 30 * 24 * time.Hour, 2 * 365 * 24 * time.Hour, 40 * 365 * 24 * time.Hour} {
		before := probe.Wakeups()
		t.Do(func() { time.Sleep(quiet) }, "does nothing for %v", quiet)
		woken, polled := probe.Woken(before)
		long := fmt.Sprint(quiet)
		if quiet > 24*time.Hour {
			long = conform.Count(int(quiet/(24*time.Hour)), "day")
		}
		t.Require(!polled, "%s for %s, and meanwhile something woke up about %d times to look. %s.", while, long, woken, rule)
	}
}

// rest receives until the channel is closed.
func rest(t *conform.T, b Bounded) []int {
	return conform.Do(t.Actor, func() []int {
		all := []int{}
		for v := range b.Out() {
			all = append(all, v)
		}
		return all
	}, "range b.Out()")
}

// upTo is 0, 1, 2 … n-1.
func upTo(n int) []int { return between(0, n) }

// between is from, from+1 … to-1.
func between(from, to int) []int {
	all := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

func pump(t *conform.T, s Subject) Pump {
	call := t.Call("NewPump()")
	p := s.NewPump()
	call.Returned("p")
	return p
}

// add calls Add as the actor a.
func add(a *conform.Actor, p Pump, v *Item) bool {
	return conform.Do(a, func() bool { return p.Add(v) }, "p.Add(%d)", v.ID)
}

// addAll adds new items with the IDs from, from+1 … to-1.
func addAll(t *conform.T, p Pump, from, to int) {
	for i := from; i < to; i++ {
		add(t.Actor, p, &Item{ID: i})
	}
}

// waiting requires that so many values are pending.
func waiting(t *conform.T, p Pump, want int) {
	got := conform.Do(t.Actor, p.Len, "p.Len()")
	t.Require(got == want, "%d values wait for the handler, and Len says %d.", want, got)
}

// runPump calls Run as the actor a.
func runPump(a *conform.Actor, ctx context.Context, p Pump, handle func(*Item)) error {
	return conform.Do(a, func() error { return p.Run(ctx, handle) }, "p.Run(ctx, handle)")
}

// recorded is handle with each of its calls an event, by the actor that calls Run: its lock would
// order two calls at once, so it is not for a case that looks for the race between them.
func recorded(a *conform.Actor, handle func(*Item)) func(*Item) {
	return func(v *Item) { a.Do(func() { handle(v) }, "handle(%d)", idOf(v)) }
}

// finished requires that Run has ended as it should after Close.
func finished(t *conform.T, err error) {
	t.Require(err == nil, "The pump was closed and everything handled, and Run returned %s: it should have returned nil.", conform.Said(err))
}
