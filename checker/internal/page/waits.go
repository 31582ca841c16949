package page

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// waitRow is a group of goroutines and what it waits for.
type waitRow struct {
	Who, At, Func, Started string
	Thing, Until           string
	One, Never             bool
}

// maxWaits is how many groups of goroutines are drawn.
const maxWaits = 8

// newWaits draws groups of goroutines, and says how many are left out.
func newWaits(waits []explain.Wait) (rows []waitRow, more int) {
	for _, w := range waits[:min(len(waits), maxWaits)] {
		r := waitRow{Who: fmt.Sprintf("%d goroutine%s", w.Count, plural(w.Count)), Thing: w.Thing, Until: w.Until, One: w.Count == 1, Never: w.Nobody}
		if w.At.Line > 0 {
			r.At, r.Func = explain.Line(w.At), explain.Func(w.At)
		}
		if w.Started.Line > 0 {
			r.Started = explain.Line(w.Started)
		}
		rows = append(rows, r)
	}
	return rows, len(waits) - len(rows)
}

// racePicture is the two sides of a data race.
type racePicture struct {
	Memory string // what both touch
	Sides  []raceSide
}

// raceSide is one lane of a race.
type raceSide struct {
	X      int // of the lane
	To     int // where the arrow to the memory ends
	Actor  string
	Op, At string
}

// The middles of the two lanes of a race; timeline.html has the same.
var raceLanes = [2]struct{ x, to int }{{150, 268}, {490, 372}}

// maxActor is how long a lane's heading may be, in bytes.
const maxActor = 44

// folders are those before the name of a file.
var folders = regexp.MustCompile(`\S*/`)

// newRace draws a race, if both sides are known.
func newRace(places []explain.Place) *racePicture {
	if len(places) != len(raceLanes) {
		return nil
	}
	p := &racePicture{Memory: "same memory"}
	for i, side := range places {
		s := raceSide{X: raceLanes[i].x, To: raceLanes[i].to, Op: side.Label, At: "outside this lab"}
		if side.At.Line > 0 {
			s.At = fmt.Sprintf("at %s:%d", path.Base(side.At.File), side.At.Line)
		}
		if len(side.Notes) > 0 {
			s.Actor = printable.Shorten(folders.ReplaceAllString(strings.TrimPrefix(side.Notes[0], "by "), ""), maxActor, "…")
		}
		if strings.HasPrefix(side.Label, "WaitGroup.") {
			p.Memory = "the WaitGroup"
		}
		p.Sides = append(p.Sides, s)
	}
	return p
}

// AriaLabel is the picture in words.
func (p racePicture) AriaLabel() string {
	return fmt.Sprintf("Two goroutines touch the same memory: %s %s, and %s %s. Nothing orders the two.",
		p.Sides[0].Op, p.Sides[0].At, p.Sides[1].Op, p.Sides[1].At)
}
