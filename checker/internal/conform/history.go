package conform

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Actor is one column of a case's history: a goroutine of the suite, usually. Its
// methods are for that goroutine alone.
//
// Each actor keeps its own log under its own lock. One shared log would be
// simpler, and would be wrong: its lock orders the goroutines that use it, and a
// race detector sees no race between goroutines that are ordered.
type Actor struct {
	who   string
	start time.Time

	mu     sync.Mutex // contended only when a failing case is printed; guards the fields below
	events []event
	gone   int // how many events were trimmed off the front
}

// event is a wire.Event and when it began and, if it is a call, returned. These two are
// real times: virtual time stands still while many things happen.
type event struct {
	wire.Event
	began, returned time.Duration
}

// maxActorEvents bounds the memory of a log; maxHistory is how much of all logs goes to the
// checker. The newest events are kept: they are the ones near the break.
const (
	maxActorEvents = 256
	maxHistory     = 400
	maxEventText   = 120
)

// Call is one call on the subject, open until Returned.
type Call struct {
	a      *Actor
	number int // of its event among all that the actor ever had
	began  time.Time
}

// append adds an event and returns its number.
func (a *Actor) append(e wire.Event) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.events) >= 2*maxActorEvents {
		a.trim()
	}
	a.events = append(a.events, event{Event: e, began: realTime()})
	return a.gone + len(a.events) - 1
}

// trim forgets the older half of the events.
func (a *Actor) trim() {
	a.events = slices.Delete(a.events, 0, maxActorEvents)
	a.gone += maxActorEvents
}

// Call records that the actor calls the subject now:
//
//	call := a.Call("Add(%q)", key)
//	q.Add(key)
//	call.Returned("")
//
// A call that is never Returned is shown as one that did not come back.
func (a *Actor) Call(format string, args ...any) Call {
	now := time.Now()
	text := say(format, args)
	n := a.append(wire.Event{Who: a.who, At: now.Sub(a.start), What: text, Open: true})
	return Call{a, n, now}
}

// Returned closes the call and records what came back ("" for nothing).
func (c Call) Returned(format string, args ...any) {
	text := say(format, args)
	took := time.Since(c.began)
	c.a.mu.Lock()
	defer c.a.mu.Unlock()
	i := c.number - c.a.gone
	if i < 0 {
		return // the log was trimmed meanwhile, and the call with it
	}
	e := &c.a.events[i]
	e.Open, e.Result, e.Took, e.returned = false, text, took, realTime()
}

// Do makes a call of the subject that returns nothing, and records it:
//
//	a.Do(q.ShutDown, "ShutDown()")
func (a *Actor) Do(call func(), format string, args ...any) {
	c := a.Call(format, args...)
	call()
	c.Returned("")
}

// Do makes a call of the subject as a, records it and returns what came back:
//
//	err := conform.Do(a, func() error { return q.Add(pod) }, "Add(%v)", pod)
func Do[R any](a *Actor, call func() R, format string, args ...any) R {
	c := a.Call(format, args...)
	result := call()
	c.Returned("%v", result)
	return result
}

// Do2 is Do for a call that returns two values.
func Do2[R, S any](a *Actor, call func() (R, S), format string, args ...any) (R, S) {
	c := a.Call(format, args...)
	first, second := call()
	c.Returned("%v, %v", first, second)
	return first, second
}

// Note records something the actor saw or did that is not a call.
func (a *Actor) Note(format string, args ...any) {
	text := say(format, args)
	a.append(wire.Event{Who: a.who, At: time.Since(a.start), What: text})
}

// Breaks records that a rule breaks at this moment, and how. It fails nothing: a fake or a
// model that sees a breach long before the case looks for it marks the moment.
func (a *Actor) Breaks(format string, args ...any) {
	text := say(format, args)
	a.append(wire.Event{Who: a.who, At: time.Since(a.start), What: text, Broke: true})
}

// history merges the logs and keeps the end of them. Calls that never returned are kept
// whatever their age: they are usually the point.
func history(actors []*Actor) []wire.Event {
	var all []event
	for _, a := range actors {
		a.mu.Lock()
		all = append(all, a.events...)
		a.mu.Unlock()
	}
	slices.SortStableFunc(all, func(x, y event) int { return cmp.Compare(x.began, y.began) })
	if extra := len(all) - maxHistory; extra > 0 {
		open := 0
		old := slices.DeleteFunc(all[:extra:extra], func(e event) bool {
			if e.Open {
				open++
			}
			return !e.Open && !e.Broke || open > maxHistory/2
		})
		all = append(old, all[len(all)-maxHistory:]...)
	}
	return number(all)
}

// number gives each beginning and each return its place among all of them.
func number(all []event) []wire.Event {
	var moments []time.Duration
	for _, e := range all {
		moments = append(moments, e.began)
		if e.returned > 0 {
			moments = append(moments, e.returned)
		}
	}
	slices.Sort(moments)
	place := func(at time.Duration) int { n, _ := slices.BinarySearch(moments, at); return n + 1 }
	events := make([]wire.Event, len(all))
	for i, e := range all {
		events[i] = e.Event
		events[i].Began = place(e.began)
		if e.returned > 0 {
			events[i].Returned = place(e.returned)
		}
	}
	return events
}
