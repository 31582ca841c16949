package page

import (
	"fmt"

	"github.com/controllerbook/controllerbook/checker/internal/cohort"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// groups are the parts of a chart, in its order. Each has the name of its group of verdicts
// as its class in style.css.
var groups = []struct {
	verdict.Group
	name string // in the legend
}{
	{verdict.Passed, "passed"},
	{verdict.Wrong, "wrong answer"},
	{verdict.Concurrency, "race, leak, deadlock, unstable"},
	{verdict.Crashed, "crash"},
	{verdict.NotBuilt, "not compiled"},
	{verdict.NotBegun, "not implemented"},
	{verdict.Undecided, "not decided"},
}

// mix counts cases by group.
type mix map[verdict.Group]int

// segment is a part of a bar, in thousandths of its length.
type segment struct {
	Group   verdict.Group
	Name    string
	Count   int
	X, W    int
	Percent int
}

const gap = 4

// Segments are the parts of a mix, without those that are empty.
func (m mix) Segments() []segment {
	total := 0
	for _, n := range m {
		total += n
	}
	var all []segment
	before := 0
	for _, g := range groups {
		n := m[g.Group]
		if n == 0 {
			continue
		}
		x, end := 1000*before/total, 1000*(before+n)/total
		if before > 0 && end-x > gap {
			x += gap // so that neighbours differ without their colours, too
		}
		all = append(all, segment{Group: g.Group, Name: g.name, Count: n, X: x, W: end - x, Percent: (200*n + total) / (2 * total)})
		before += n
	}
	return all
}

// AriaLabel is the mix in words, for readers who do not see its bar.
func (m mix) AriaLabel() string {
	text := ""
	for i, s := range m.Segments() {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", s.Count, s.Name)
	}
	return text
}

// histogram draws how many students have how many per cent of the points.
type histogram cohort.Scores

// bar is one bin, drawn.
type bar struct {
	From, To, Count int
	X, Y, Height    int
	Label           int // where the number stands
}

// The measures of the drawing; class.html has the same.
const (
	barStep   = 34
	barRoom   = 120
	barBottom = 140
)

// Bars are the bins with their places in the drawing.
func (h histogram) Bars() []bar {
	most := 1
	for _, n := range h {
		most = max(most, n)
	}
	bars := make([]bar, len(h))
	for i, n := range h {
		height := barRoom * n / most
		if n > 0 {
			height = max(height, 2)
		}
		bars[i] = bar{From: 10 * i, To: 10*i + 10, Count: n, X: 10 + barStep*i, Y: barBottom - height, Height: height, Label: barBottom - height - 5}
	}
	return bars
}

// AriaLabel is the histogram in words, for readers who do not see it.
func (h histogram) AriaLabel() string {
	text := "Students by share of the points. "
	for _, b := range h.Bars() {
		if b.Count > 0 {
			text += fmt.Sprintf("%d to %d percent: %d. ", b.From, b.To, b.Count)
		}
	}
	return text
}
