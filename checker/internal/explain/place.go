package explain

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// accesses are the two sides of a data race.
func accesses(race []outcome.Access) []Place {
	var places []Place
	for _, a := range race {
		p := Place{Label: clip(a.Op), At: a.At}
		switch {
		case a.At.Line == 0:
			p.Notes = append(p.Notes, "by code outside this lab: the caller, using what your code handed out")
		case a.Main:
			p.Notes = append(p.Notes, "by the goroutine that called your code")
		default:
			p.Notes = append(p.Notes, "by a goroutine started at "+Line(a.Started))
		}
		places = append(places, p)
	}
	return places
}

// blocked lists goroutines, likely causes before those that wait for them, and says how
// many places were left out.
func blocked(gs []outcome.Goroutine) (places []Place, more int) {
	for _, g := range byCause(gs) {
		p := Place{Label: doing(g.Count, g.State), At: g.At}
		if g.Started.Line > 0 {
			p.Notes = append(p.Notes, "started at "+Line(g.Started))
		}
		places = append(places, p)
	}
	more = max(0, len(places)-maxPlaces)
	return places[:len(places)-more], more
}

func byCause(gs []outcome.Goroutine) []outcome.Goroutine {
	sorted := slices.Clone(gs)
	slices.SortStableFunc(sorted, func(a, b outcome.Goroutine) int { return rank(a) - rank(b) })
	return sorted
}

// rank puts first the goroutine that is likeliest to block the others: one that sleeps, then
// one that waits for a channel and may hold a lock meanwhile, then one that waits for a lock.
func rank(g outcome.Goroutine) int {
	switch {
	case g.At.Line == 0:
		return 4
	case waiter(g.State):
		return 3
	case onLock(g.State):
		return 2
	case g.State == "sleep":
		return 0
	}
	return 1
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
