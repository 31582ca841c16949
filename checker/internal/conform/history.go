package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Actor is one column of a case's history: a goroutine of the suite, or something that the
// subject calls. Any goroutine may call its methods. They order nobody in the eyes of the race
// detector, so what is recorded can still be found to race.
type Actor struct {
	who   string
	start time.Time
	live  *live // nil unless each event is sent as it happens
	log   eventLog
}

// Bounds of the history that goes to the checker: a class of hundreds keeps a history for each
// failing case. The newest events are kept, because they are the ones near the break.
const (
	maxHistory      = 240      // events
	maxHistoryBytes = 24 << 10 // of all of them as JSON
	maxEventText    = 120
)

// Call is one call on the subject, open until Returned.
type Call struct {
	a     *Actor
	event *event
	began time.Time
}

// add adds an event that happens now.
func (a *Actor) add(e wire.Event, format string, args []any) Call {
	now := time.Now()
	e.At = now.Sub(a.start)
	added := &event{Event: e, what: say(format, args)}
	a.log.add(added)
	a.live.begins(a.who, added)
	return Call{a, added, now}
}

// Call records that the actor calls the subject now:
//
//	call := a.Call("Add(%q)", key)
//	q.Add(key)
//	call.Returned("")
//
// A call that is never Returned is shown as one that did not come back. Of a fake, it is the
// subject that calls.
func (a *Actor) Call(format string, args ...any) Call {
	return a.add(wire.Event{Open: true}, format, args)
}

// Callback records that the subject calls the suite now, by a function that it was given. The
// history says so in words, because there it is the subject that acts:
//
//	OnAdd: func(pod *kit.Pod) {
//		defer a.Callback("OnAdd(%v)", pod).Returned("")
//		…
//	}
func (a *Actor) Callback(format string, args ...any) Call {
	return a.Call("is called: "+format, args...)
}

// Returned closes the call and records what came back ("" for nothing).
func (c Call) Returned(format string, args ...any) {
	result, took := say(format, args), time.Since(c.began)
	c.a.log.close(c.event, result, took)
	c.a.live.returns(c.a.who, c.event, result, took)
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
	a.add(wire.Event{}, format, args)
}

// Breaks records that a rule breaks at this moment, and how. It fails nothing: a fake or a
// model that sees a breach long before the case looks for it marks the moment.
func (a *Actor) Breaks(format string, args ...any) {
	a.add(wire.Event{Broke: true}, format, args)
}

// WithCancel is context.WithCancel of a context that the history calls name. That the actor
// cancels it is an event:
//
//	ctx, cancel := t.WithCancel(t.Context(), "the caller's ctx")
func (a *Actor) WithCancel(parent context.Context, name string) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	var once sync.Once
	return ctx, func() {
		once.Do(func() { a.Note("cancels %s", name) })
		cancel()
	}
}

// WithTimeout is context.WithTimeout of a context that the history calls name. The event is
// that it is made, with the moment at which it will end: an event of that moment itself would
// come before or after what the end brings about, as it happens.
func (a *Actor) WithTimeout(parent context.Context, after time.Duration, name string) (context.Context, context.CancelFunc) {
	a.Note("makes %s, which ends at %v", name, time.Since(a.start)+after)
	return context.WithTimeout(parent, after)
}

// history merges the logs and keeps the end of them. Calls that never returned are kept
// whatever their age, because they are usually the point, and so are breaches and what made
// the subject.
func history(actors []*Actor) []wire.Event {
	var all []event
	for i, who := range names(actors) {
		for _, e := range actors[i].log.events() {
			e.Who = who
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(x, y event) int { return cmp.Compare(x.began, y.began) })
	return number(newest(all))
}

// names are the actors' names, with a number where several have the same.
func names(actors []*Actor) []string {
	total, seen := map[string]int{}, map[string]int{}
	for _, a := range actors {
		total[a.who]++
	}
	all := make([]string, len(actors))
	for i, a := range actors {
		all[i] = a.who
		if seen[a.who]++; total[a.who] > 1 {
			all[i] = fmt.Sprintf("%s #%d", a.who, seen[a.who])
		}
	}
	return all
}

// newest keeps what the bounds allow.
func newest(all []event) []event {
	var kept []event
	room, made, notes := maxHistoryBytes, maxMade, maxNotes
	for _, e := range slices.Backward(all) {
		reserved := 4 // a quarter of the room is for older events that still matter,
		maker := made > 0 && makes.MatchString(e.What)
		note := notes > 0 && !e.Open && e.returned == 0
		if maker {
			made--
		}
		if note {
			notes--
		}
		switch {
		case e.Broke:
			reserved = maxHistory
		case e.Open, maker, note:
			reserved = 16 // and of that a little for a breach
		}
		size := bytesOf(e.Event)
		if len(kept) >= maxHistory-maxHistory/reserved || size > room-maxHistoryBytes/reserved {
			continue
		}
		kept = append(kept, e)
		room -= size
	}
	slices.Reverse(kept)
	return kept
}

// makes is how an event begins that has made the subject of those after it: it says with which
// parameters. Of many, the last maxMade are kept.
var makes = regexp.MustCompile(`^New\w*\(`)

const maxMade = 2

// maxNotes is how many notes are kept however old they are, the last ones: a case says in them
// what it does, before it does it thousands of times.
const maxNotes = 4

// bytesOf is how long an event becomes on the wire.
func bytesOf(e wire.Event) int {
	const places = 40 // the two numbers that it gets last
	text, _ := json.Marshal(e)
	return len(text) + places
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
