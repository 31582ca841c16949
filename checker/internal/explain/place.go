package explain

import (
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// accesses are the two sides of a data race.
func accesses(race []outcome.Access) []Place {
	var places []Place
	for i, a := range race {
		p := Place{Label: clip(a.Op), At: a.At, Notes: []string{actor(a, i > 0 && race[0].Main)}}
		switch {
		case a.Within == outcome.InCase:
			p.Notes = append(p.Notes, "in code of the case that this line calls")
		case a.Within != "":
			p.Notes = append(p.Notes, "in "+clip(a.Within)+", which this line calls")
		}
		for _, l := range a.Holds {
			p.Notes = append(p.Notes, held(l))
		}
		if a.Near && a.At.Line > 0 {
			p.Notes = append(p.Notes, "at this line, or in a short function that it calls")
		}
		p.Notes = append(p.Notes, callers(a.Via)...)
		places = append(places, p)
	}
	return places
}

// held is the note of a lock.
func held(l outcome.Lock) string {
	reading := ""
	if l.Read {
		reading = " for reading"
	}
	return "holds " + clip(l.Name) + reading + ", locked at " + Line(l.At)
}

// maxVia is how many calls are shown that led to an access.
const maxVia = 6

// callers says which calls led to an access. Of a long path the middle is left out: its end is
// what the caller has called.
func callers(via []outcome.Location) []string {
	var notes []string
	for i, call := range via {
		switch skipped := len(via) - maxVia; {
		case skipped <= 0 || i < maxVia-1 || i == len(via)-1:
			notes = append(notes, "called by "+Func(call)+" at "+Line(call))
		case i == maxVia-1:
			notes = append(notes, "called by "+conform.Count(skipped, "more function")+" on the way")
		}
	}
	return notes
}

// actor says which goroutine made an access. second is for the other of two callers.
func actor(a outcome.Access, second bool) string {
	who := "by a goroutine started at " + Line(a.Started)
	switch {
	case a.Library:
		who = "by a goroutine that a library started when it was called at " + Line(a.Started)
	case a.Main && second:
		who = "by another goroutine that called your code"
	case a.Main:
		who = "by the goroutine that called your code"
	}
	switch {
	case a.At.Line > 0:
		return who
	case a.Unseen:
		return who + "; the race detector kept no line of your code for it"
	case a.Main:
		return "by code outside this lab: the caller's, which uses what your code has handed out or relies on an order that it should make"
	}
	return who + ", in code outside this lab"
}

// blocked lists goroutines, likely causes before those that wait for them, and says how
// many places were left out.
func blocked(gs []outcome.Goroutine) (places []Place, more int) {
	for _, g := range outcome.ByCause(gs) {
		p := Place{Label: doing(g), At: g.At}
		if g.Started.Line > 0 {
			p.Notes = append(p.Notes, "started at "+Line(g.Started))
		}
		p.Notes = append(p.Notes, callers(g.Via)...)
		p.Notes = append(p.Notes, locks(g, gs)...)
		places = append(places, p)
	}
	more = max(0, len(places)-maxPlaces)
	return places[:len(places)-more], more
}

// locks says which locks a goroutine holds, and who has the one that it waits for, as far as
// the stacks of all tell.
func locks(g outcome.Goroutine, all []outcome.Goroutine) []string {
	var notes []string
	for _, l := range g.Holds {
		notes = append(notes, "meanwhile holds "+clip(l.Name)+", locked at "+Line(l.At))
	}
	switch h := g.HeldBy; {
	case h == nil:
	case h.Self:
		return []string{clip(g.On) + " is " + probably(!h.Sure) + "held by this goroutine itself, since " + Line(h.Lock)}
	case h.At.Line > 0:
		notes = append(notes, clip(g.On)+" is probably held by the goroutine at "+Line(h.At)+", since "+Line(h.Lock))
	case alias(g, all) != "":
		notes = append(notes, alias(g, all))
	default:
		notes = append(notes, "no goroutine that is left stands where it would hold "+clip(g.On)+": it was probably left locked")
	}
	return notes
}

// alias is about a lock that some goroutine holds and that may be the one g waits for under
// another name, as a.mu is s.mu where a embeds s; "" if there is none.
func alias(g outcome.Goroutine, all []outcome.Goroutine) string {
	field := func(name string) string { return name[strings.LastIndex(name, ".")+1:] }
	for _, o := range append([]outcome.Goroutine{g}, all...) {
		for _, l := range o.Holds {
			switch {
			case l.Name == g.On || field(l.Name) != field(g.On):
			case o.At == g.At:
				return "if " + clip(l.Name) + " and " + clip(g.On) + " are one lock, this goroutine waits for itself"
			default:
				return "perhaps it is the lock that the goroutine at " + Line(o.At) + " holds as " + clip(l.Name)
			}
		}
	}
	return ""
}

func probably(unsure bool) string {
	if unsure {
		return "probably "
	}
	return ""
}

// total counts the goroutines of all groups.
func total(gs []outcome.Goroutine) int {
	n := 0
	for _, g := range gs {
		n += g.Count
	}
	return n
}

// at is the single place of a result, labelled; none if no line is known.
func at(label string, r outcome.Result) []Place {
	if r.At.Line == 0 {
		return nil
	}
	return []Place{{Label: label, At: r.At}}
}
