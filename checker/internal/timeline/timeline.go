// Package timeline makes a picture of how a case went: who did what on which lane, in what
// order and when. It says where things stand; a page and a terminal draw them.
//
// The axis shows order first. Every beginning and every return has a place of its own, so
// that what happened in one instant of virtual time is spread. Between two places lies as
// much room as time has passed, up to a limit: an idle hour is squeezed, and says so.
//
// It is pure: the same history always gives the same picture.
package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Chart is a history, drawn. The zero value is that of no history.
type Chart struct {
	Lanes   []Lane   // callers in the order of their first appearance, then fakes and servers
	Moments []Moment // the axis: place n is Moments[n]
	Earlier int      // how many earlier events are left out
}

// Lane is what one actor did.
type Lane struct {
	Who  string
	Bars []Bar
	Rows int // how many bars lie above each other: two goroutines of one name share a lane
}

// Bar is a call, from its beginning to its return, or something that happened at one place.
type Bar struct {
	Kind     Kind
	Row      int    // of its lane
	From, To int    // places on the axis; the same for what is no call
	What     string // of a breach only where the case found it later
	Back     string // what a call returned
	At, Took time.Duration
}

// Kind says what a Bar is.
type Kind string

// The kinds of bars.
const (
	Call  Kind = "call"
	Open  Kind = "open"  // a call that never returned: its bar ends where the history does
	Note  Kind = "note"  // something that was seen or done
	Broke Kind = "broke" // the rule broke here
	Check Kind = "check" // here the case found that it had been broken before
)

// Moment is one place on the axis.
type Moment struct {
	At  time.Duration // since the case began
	X   float64       // 0 for the first; one place further is 1 further, and more where time passes
	New bool          // time has passed since the place before
	Gap time.Duration // how much, where the axis is squeezed; otherwise 0
}

// New draws the last keep events of a history, and of those before them what never returned
// or broke the rule. A keep of 0 is all of them. Rounds that repeat while time passes are
// drawn twice, with a note between.
func New(events []wire.Event, keep int) Chart {
	shown := slices.Clone(events)
	slices.SortStableFunc(shown, func(a, b wire.Event) int { return cmp.Compare(a.Began, b.Began) })
	shown = fold(shown)
	all := len(shown)
	if old := all - keep; keep > 0 && old > 0 {
		recent := shown[old:]
		shown = append(slices.DeleteFunc(shown[:old:old], func(e wire.Event) bool { return !e.Open && !e.Broke }), recent...)
	}
	c := Chart{Earlier: all - len(shown)}
	spans := c.place(shown)
	checked := slices.ContainsFunc(shown, func(e wire.Event) bool { return e.Checked })
	for i, e := range shown {
		if e.Broke && !checked {
			e.What = "" // it is the case's failure, which has been said
		}
		c.lane(e.Who).add(bar(e, spans[i], len(c.Moments)-1))
	}
	c.rename()
	slices.SortStableFunc(c.Lanes, func(a, b Lane) int { return cmp.Compare(a.rank(), b.rank()) })
	c.stretch()
	return c
}

// Width is where the axis ends.
func (c Chart) Width() float64 {
	if len(c.Moments) == 0 {
		return 0
	}
	return c.Moments[len(c.Moments)-1].X
}

// Empty reports whether there is nothing to draw.
func (c Chart) Empty() bool { return len(c.Moments) == 0 }

// Bars are all bars in the order in which they began, each with the index of its lane.
func (c Chart) Bars() []Placed {
	var all []Placed
	for i, l := range c.Lanes {
		for _, b := range l.Bars {
			all = append(all, Placed{b, i})
		}
	}
	slices.SortStableFunc(all, func(a, b Placed) int { return cmp.Compare(a.From, b.From) })
	return all
}

// Placed is a bar and its lane.
type Placed struct {
	Bar
	Lane int
}

// span is where an event lies on the axis.
type span struct{ from, to int }

// place gives every beginning and every return a place, in their order.
func (c *Chart) place(events []wire.Event) []span {
	type end struct {
		number, event int
		returned      bool
		at            time.Duration
	}
	var ends []end
	for i, e := range events {
		ends = append(ends, end{e.Began, i, false, e.At})
		if e.Returned > 0 {
			ends = append(ends, end{e.Returned, i, true, e.At + e.Took})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.number, b.number) })
	spans := make([]span, len(events))
	var now time.Duration
	for n, p := range ends {
		now = max(now, p.at)
		c.Moments = append(c.Moments, Moment{At: now})
		if !p.returned {
			spans[p.event] = span{n, n}
		} else {
			spans[p.event].to = n
		}
	}
	return spans
}

func bar(e wire.Event, s span, last int) Bar {
	b := Bar{Kind: Note, From: s.from, To: s.to, What: e.What, Back: e.Result, At: e.At, Took: e.Took}
	switch {
	case e.Broke:
		b.Kind = Broke
	case e.Checked:
		b.Kind = Check
	case e.Open:
		b.Kind, b.To = Open, last
	case e.Returned > 0:
		b.Kind = Call
	}
	return b
}

// lane is the lane of an actor, a new one for one that has none.
func (c *Chart) lane(who string) *Lane {
	i := slices.IndexFunc(c.Lanes, func(l Lane) bool { return l.Who == who })
	if i < 0 {
		i = len(c.Lanes)
		c.Lanes = append(c.Lanes, Lane{Who: who})
	}
	return &c.Lanes[i]
}

// add puts a bar into the first row that is free where it begins.
func (l *Lane) add(b Bar) {
	for b.Row < l.Rows && slices.ContainsFunc(l.Bars, func(o Bar) bool { return o.Row == b.Row && o.To >= b.From }) {
		b.Row++
	}
	l.Rows = max(l.Rows, b.Row+1)
	l.Bars = append(l.Bars, b)
}
