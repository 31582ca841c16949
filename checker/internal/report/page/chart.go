package page

import "fmt"

// Group is a kind of verdicts that are one colour in a chart.
type Group string

// The groups, in the order of a chart.
const (
	Passed      Group = "passed"
	Wrong       Group = "wrong"
	Concurrency Group = "concurrency"
	Crashed     Group = "crashed"
	NotBuilt    Group = "notbuilt"
	NotBegun    Group = "notbegun"
	Undecided   Group = "undecided"
)

var groupNames = map[Group]string{
	Passed: "passed", Wrong: "wrong answer", Concurrency: "race, leak, deadlock, unstable", Crashed: "crash",
	NotBuilt: "not compiled", NotBegun: "not implemented", Undecided: "not decided",
}

// Groups lists all groups in order.
var Groups = []Group{Passed, Wrong, Concurrency, Crashed, NotBuilt, NotBegun, Undecided}

// Mix counts cases by group.
type Mix map[Group]int

// Segment is a part of a bar, in thousandths of its length.
type Segment struct {
	Group   Group
	Name    string
	Count   int
	X, W    int
	Percent int
}

const gap = 4

// Segments are the parts of a mix, without those that are empty.
func (m Mix) Segments() []Segment {
	total := 0
	for _, n := range m {
		total += n
	}
	var all []Segment
	before := 0
	for _, g := range Groups {
		n := m[g]
		if n == 0 {
			continue
		}
		x, end := 1000*before/total, 1000*(before+n)/total
		if before > 0 && end-x > gap {
			x += gap // so that neighbours are told apart without their colours
		}
		all = append(all, Segment{Group: g, Name: groupNames[g], Count: n, X: x, W: end - x, Percent: (200*n + total) / (2 * total)})
		before += n
	}
	return all
}

// Spoken is the mix in words: the text alternative of its bar.
func (m Mix) Spoken() string {
	text := ""
	for i, s := range m.Segments() {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", s.Count, s.Name)
	}
	return text
}

// Histogram counts students by how many per cent of the points they have: ten bins,
// the last with the full hundred in it.
type Histogram [10]int

// Add counts one student.
func (h *Histogram) Add(points, max int) {
	if max > 0 {
		h[min(10*points/max, 9)]++
	}
}

// Bar is one bin, drawn.
type Bar struct {
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
func (h Histogram) Bars() []Bar {
	most := 1
	for _, n := range h {
		most = max(most, n)
	}
	bars := make([]Bar, len(h))
	for i, n := range h {
		height := barRoom * n / most
		if n > 0 {
			height = max(height, 2)
		}
		bars[i] = Bar{From: 10 * i, To: 10*i + 10, Count: n, X: 10 + barStep*i, Y: barBottom - height, Height: height, Label: barBottom - height - 5}
	}
	return bars
}

// Spoken is the histogram in words.
func (h Histogram) Spoken() string {
	text := "Students by share of the points. "
	for _, b := range h.Bars() {
		if b.Count > 0 {
			text += fmt.Sprintf("%d to %d percent: %d. ", b.From, b.To, b.Count)
		}
	}
	return text
}
