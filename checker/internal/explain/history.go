package explain

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Event is one line of a case's history, in words.
type Event struct {
	At      string // "0s", "8s": since the case began, virtual where time is
	Who     string
	What    string
	Back    string // what came back and after how long; empty for what is not a call, or goes on
	Open    bool   // a call that never returned
	Broke   bool   // the rule broke here
	Checked bool   // the case found here that the rule had been broken before
	Gap     bool   // no event: What says how many are left out here
}

// history tells what happened in the order in which it did: the break, what led to it, the
// calls that never returned, and what is about the keys that message names.
func history(events []wire.Event, message string) []Event {
	all := lines(events, message)
	if at := broke(all); len(all) > maxPlain {
		decide(all, at, message)
		for i := max(0, at-nearest); i < at && all[at].Broke; i++ {
			all[i].near = true
		}
	}
	if len(all) > maxPlain {
		all = repeats(all)
	}
	shown := told(all, bridge(all, choose(all)))
	wire.Unnumber(len(shown), func(i int) *string { return &shown[i].Who })
	return shown
}

// line is a line that may be shown.
type line struct {
	Event
	place int    // where it happened, among all
	call  int    // which event it is of
	part  part   // how much of that
	kind  string // what lines that may stand for each other have in common; "" for none
	about bool   // it names a key that is at fault
	near  bool   // the rule broke right after it
	said  bool   // the message quotes it
	built bool   // it made what the rule is about, and says with which parameters
	spans bool   // the call began before the break and had not returned then
	note  bool   // it is no call, but something that somebody has seen or done
	count int    // how many events it stands for
}

// part says which of its lines one of a call is. A call has two, where something else
// happened between its beginning and its return.
type part int

const (
	whole part = iota
	begins
	ends
)

// clipped is how a text ends that was too long for an event.
const clipped = "… (cut)"

// maxPlain is how many lines are few enough to be shown one by one: repeated or not, each may
// be the point.
const maxPlain = 12

// maxBrief is the length of what is called and of what comes back, each.
const maxBrief = 90

// instant is the shortest time that is shown: on the real clock, less says nothing.
const instant = time.Millisecond

// lines are those of all events, in the order in which they happened.
func lines(events []wire.Event, message string) []line {
	faulty := keysAtFault(events, message)
	var all []line
	for i, e := range events {
		l := line{Event: event(e, message), place: e.Began, call: i, about: faulty.in(e.What) || faulty.in(e.Result), count: 1, note: !e.Open && e.Returned == 0}
		switch {
		case e.Broke, e.Checked:
		case e.Returned > 0 && !alone(events, i):
			end := l
			end.At, end.place, end.part, end.count = Duration(e.At+e.Took), e.Returned, ends, 0
			end.Back = cmp.Or(back(e, "after %s"), "returned")
			end.kind = "returns " + kind(l.Event)
			all = append(all, end)
			l.part, l.kind = begins, "begins "+kind(l.Event)
		default:
			l.kind = kind(l.Event)
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b line) int { return cmp.Compare(a.place, b.place) })
	return inOne(all)
}

// callback is how a line begins of which the subject is the caller: see conform.Actor.Callback.
const callback = "is called: "

// inOne leaves the beginning of a call out if all that happened before it returned is that it
// called back, in the same instant: the line of the return says what was called, and with what.
func inOne(all []line) []line {
	var rest []line
	for i := 0; i < len(all); i++ {
		if i+2 < len(all) && calledBack(all[i], all[i+1], all[i+2]) {
			all[i+2].part, all[i+2].count, all[i+2].kind = whole, 1, kind(all[i+2].Event)
			continue
		}
		rest = append(rest, all[i])
	}
	return rest
}

func calledBack(began, back, ended line) bool {
	return began.part == begins && ended.part == ends && began.call == ended.call && began.At == ended.At &&
		back.part == whole && back.Who == began.Who && strings.HasPrefix(back.What, callback)
}

// alone reports whether nothing else began or returned while a call was under way.
func alone(events []wire.Event, call int) bool {
	from, to := events[call].Began, events[call].Returned
	for i, e := range events {
		if i != call && (from <= e.Began && e.Began <= to || from <= e.Returned && e.Returned <= to) {
			return false
		}
	}
	return true
}

func event(e wire.Event, message string) Event {
	t := Event{At: Duration(e.At), Who: clip(e.Who), What: brief(e.What), Open: e.Open, Broke: e.Broke, Checked: e.Checked}
	switch {
	case e.Checked:
		t.What = "checked here"
	case e.Broke && strings.HasPrefix(message, strings.TrimSuffix(e.What, clipped)):
		t.What = "the check fails here" // the headline says how
	case e.Broke:
		t.What = clip(e.What) // how the rule broke is the point: none of it is left out
	case e.Open:
		t.Back = "did not return"
	default:
		t.Back = back(e, "%s later")
	}
	return t
}

// back is what came back of a call, and how long that took: "%s later" on the line of its
// beginning, "after %s" on that of its return. So it is plain which of the two moments the
// time of the line is.
func back(e wire.Event, took string) string {
	took = fmt.Sprintf(took, Duration(e.Took))
	switch {
	case e.Took < instant:
		return brief(e.Result)
	case e.Result == "":
		return "returned " + took
	}
	return brief(e.Result) + ", " + took
}

// brief is a text that leaves room for others.
func brief(text string) string { return printable.Shorten(clip(text), maxBrief, "…") }

// told are the lines that were chosen, and in the place of the others how many there are.
func told(all []line, chosen []bool) []Event {
	lines := shownOf(all, chosen)
	var shown []Event
	var left []line
	for i, l := range all {
		if !chosen[i] {
			if l.leftOut(lines) {
				left = append(left, l)
			}
			continue
		}
		if len(left) > 0 {
			shown = append(shown, gap(left, len(shown) == 0))
			left = nil
		}
		if l.part == begins && lines[l.call] == 2 {
			l.What, l.Back = l.What+" …", ""
		}
		shown = append(shown, l.Event)
	}
	return shown
}

// gap stands for lines that are left out, and names the calls among them.
func gap(left []line, first bool) Event {
	const most = 5 // calls that are named
	events, noun := 0, "event"
	var names []string
	for _, l := range left {
		events += l.count
		name := strings.TrimPrefix(calls.FindString(l.What), callback)
		if name = strings.TrimSuffix(name, "("); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if first {
		noun = "earlier event"
	}
	text := "… " + conform.Count(events, noun)
	if len(names) > most {
		names = append(names[:most], "…")
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return Event{What: text, Gap: true}
}

// calls is how an event begins that is a call, or a round of equal ones.
var calls = regexp.MustCompile(`^(?:` + callback + `)?\pL\w*\(`)

// Duration rounds to what a reader can use. Virtual times are round already.
func Duration(d time.Duration) string {
	switch {
	case d >= time.Second:
		d = d.Round(time.Millisecond)
	case d >= time.Millisecond:
		d = d.Round(10 * time.Microsecond)
	default:
		d = d.Round(time.Microsecond)
	}
	return d.String()
}
