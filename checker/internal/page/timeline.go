package page

import (
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/timeline"
)

// timelinePicture is a history drawn in strips, one below the other as lines of music are: it
// fits a page of paper, and no part of it is far from the names of its lanes.
type timelinePicture struct {
	Strips  []strip
	Earlier int
	Last    int // the last place
}

// strip is a part of the axis with all lanes that have something in it.
type strip struct {
	From, To int // places
	Height   int
	Lanes    []stripLane
	Ticks    []tick
	Gaps     []gapMark
	Marks    []stripMark
	Foot     int // where the last lane ends
	Label    string
}

// stripLane is one lane of a strip.
type stripLane struct {
	Name      string
	Y, Height int
	TextY     int
	Even      bool
}

// tick is a moment with its time. Text is empty where there is no room for it.
type tick struct {
	X    int
	Text string
}

// gapMark is a squeezed stretch of time.
type gapMark struct {
	X, W, Height int
	Middle       int
	Text         string
}

// stripMark is a bar, or a dot, and its words.
type stripMark struct {
	Kind     string
	From, To int // places
	X, W, Y  int
	TextX    int
	End      bool // the text ends at TextX
	TextY    int
	Text     string
	Title    string // in full, the time first
	Until    string // when it ended
	Dot      bool
	DotX     int
	DotY     int
}

// Through reports whether a mark has a line through all lanes.
func (m stripMark) Through() bool {
	return m.Kind == string(timeline.Broke) || m.Kind == string(timeline.Check)
}

// The measures of a strip, in units of its view box; timeline.html has some of them.
const (
	stripWidth  = 960
	nameWidth   = 132
	stripMargin = 14
	axisHeight  = 34
	rowHeight   = 31
	textDown    = 13 // from the top of a row to its text
	barDown     = 18 // and to its bar
	barHeight   = 9
	letter      = 6.65 // of the monospaced font
	narrowest   = 36.0 // one step of the axis
	widest      = 84.0
	maxLabel    = 72 // bytes
	maxLaneName = 18
	maxTitle    = 200 // bytes
)

const stripRoom = float64(stripWidth - nameWidth - 2*stripMargin)

// newTimeline draws a chart, or nothing where there is none.
func newTimeline(c timeline.Chart) *timelinePicture {
	if c.Empty() {
		return nil
	}
	p := &timelinePicture{Earlier: c.Earlier, Last: len(c.Moments) - 1}
	parts, wide := cut(c)
	step := min(stripRoom/max(wide+1, 1), widest)
	for _, part := range parts {
		p.Strips = append(p.Strips, newStrip(c, part[0], part[1], step))
	}
	return p
}

// cut deals the places out to as few strips as have room for them, about alike. It returns the
// first and the last place of each strip, and how much of the axis the longest takes.
func cut(c timeline.Chart) (parts [][2]int, wide float64) {
	length := func(from, to int) float64 { return c.Moments[to].X - c.Moments[from].X }
	deal := func(room float64) (parts [][2]int, wide float64) {
		for from := 0; from < len(c.Moments); {
			to := from
			for to+1 < len(c.Moments) && length(from, to+1) <= room {
				to++
			}
			parts, wide = append(parts, [2]int{from, to}), max(wide, length(from, to))
			from = to + 1
		}
		return parts, wide
	}
	parts, wide = deal(stripRoom/narrowest - 1)
	for {
		again, narrower := deal(wide - 0.5)
		if len(again) > len(parts) || narrower >= wide {
			return parts, wide
		}
		parts, wide = again, narrower
	}
}

// drafting is a strip while it is drawn.
type drafting struct {
	strip
	chart timeline.Chart
	step  float64
	ends  map[int][]int // of each lane: where each of its rows is taken up to
}

func newStrip(c timeline.Chart, from, to int, step float64) strip {
	d := drafting{strip: strip{From: from, To: to}, chart: c, step: step, ends: map[int][]int{}}
	rows := map[int]int{} // of each mark, in its lane
	lanes := map[int]int{}
	for _, b := range c.Bars() {
		if b.From > to || b.To < from {
			continue
		}
		n := len(d.Marks)
		m := d.mark(b)
		rows[n] = d.row(b.Lane, m)
		lanes[n] = b.Lane
		d.Marks = append(d.Marks, m)
	}
	tops := d.lay()
	for i := range d.Marks {
		top := tops[lanes[i]] + rows[i]*rowHeight
		m := &d.Marks[i]
		m.Y, m.TextY, m.DotY = top+barDown, top+textDown, top+barDown+barHeight/2
	}
	// What goes through all lanes is drawn first, and lies below the words of the others.
	first := slices.DeleteFunc(slices.Clone(d.Marks), func(m stripMark) bool { return !m.Through() })
	d.Marks = append(first, slices.DeleteFunc(d.Marks, stripMark.Through)...)
	d.axis()
	d.Label = fmt.Sprintf("Timeline from %s to %s: %d events on %d lanes. The list below has the same in words.",
		explain.Duration(c.Moments[from].At), explain.Duration(c.Moments[to].At), len(d.Marks), len(d.Lanes))
	return d.strip
}

// x is where a place is. What lies outside the strip is at its edge.
func (d *drafting) x(place int) int {
	switch {
	case place < d.From:
		return nameWidth
	case place > d.To:
		return stripWidth
	}
	return nameWidth + stripMargin + int((d.chart.Moments[place].X-d.chart.Moments[d.From].X)*d.step)
}

// mark draws a bar without its row.
func (d *drafting) mark(b timeline.Placed) stripMark {
	x, end := d.x(b.From), d.x(b.To)
	if b.Kind == timeline.Open && b.To >= d.To {
		end = stripWidth
	}
	m := stripMark{
		Kind: string(b.Kind), From: b.From, To: b.To, X: x, W: max(end-x, barHeight), TextX: x, DotX: x,
		Text: printable.Shorten(words(b.Bar), maxLabel, "…"), Title: d.title(b), Until: explain.Duration(d.chart.Moments[b.To].At), Dot: b.Kind != timeline.Call && b.Kind != timeline.Open,
	}
	if b.From < d.From {
		m.Text = "… " + m.Text
		m.TextX += 4
	}
	if b.Kind == timeline.Open {
		m.To = b.From // there is no return to step to
	}
	if wide := textWidth(m.Text); m.TextX+wide > stripWidth {
		m.TextX, m.End = stripWidth-2, true
	}
	return m
}

// textWidth is how much room a label takes.
func textWidth(s string) int { return int(float64(len([]rune(s))) * letter) }

// row is the first row of a lane in which a mark and its words have room.
func (d *drafting) row(lane int, m stripMark) int {
	left, right := min(m.X, m.TextX), max(m.X+m.W, m.TextX+textWidth(m.Text))
	if m.End {
		left, right = min(m.X, m.TextX-textWidth(m.Text)), stripWidth
	}
	rows := d.ends[lane]
	n := slices.IndexFunc(rows, func(end int) bool { return end <= left })
	if n < 0 {
		n = len(rows)
		rows = append(rows, 0)
	}
	rows[n] = right + 8
	d.ends[lane] = rows
	return n
}

// lay puts the lanes below each other and returns where each begins.
func (d *drafting) lay() map[int]int {
	tops := map[int]int{}
	y := axisHeight
	for i, l := range d.chart.Lanes {
		rows := len(d.ends[i])
		if rows == 0 {
			continue
		}
		tops[i] = y
		height := rows*rowHeight + 4
		d.Lanes = append(d.Lanes, stripLane{
			Name: printable.Shorten(printable.Line(l.Who, maxTitle), maxLaneName, "…"),
			Y:    y, Height: height, TextY: y + textDown, Even: len(d.Lanes)%2 == 0,
		})
		y += height
	}
	d.Foot, d.Height = y, y+8
	return tops
}

// axis writes the times, and the lengths of what is squeezed.
func (d *drafting) axis() {
	free := 0
	for n := d.From; n <= d.To; n++ {
		m := d.chart.Moments[n]
		if !m.New && n > d.From {
			continue
		}
		x := d.x(n)
		t := tick{X: x}
		if x >= free {
			t.Text = explain.Duration(m.At)
			free = x + textWidth(t.Text) + 10
		}
		d.Ticks = append(d.Ticks, t)
		if m.Gap > 0 && n > d.From {
			before := d.x(n-1) + int(d.step)/2
			d.Gaps = append(d.Gaps, gapMark{X: before, W: x - before - 6, Height: d.Foot - axisHeight, Middle: before + (x-before-6)/2, Text: explain.Duration(m.Gap)})
		}
	}
}

// words are what stands at a bar.
func words(b timeline.Bar) string {
	what, back := printable.Line(b.What, maxTitle), printable.Line(b.Back, maxTitle)
	switch {
	case b.Kind == timeline.Broke && what != "":
		return "✗ " + what
	case b.Kind == timeline.Broke:
		return "✗ the check fails here"
	case b.Kind == timeline.Check:
		return "checked here"
	case b.Kind == timeline.Open:
		return what + " → did not return"
	case back != "":
		return what + " → " + back
	}
	return what
}

// title says all there is to say of a bar: the words for a pointer, and for a step.
func (d *drafting) title(b timeline.Placed) string {
	text := explain.Duration(b.At) + " · " + printable.Line(d.chart.Lanes[b.Lane].Who, 80) + ": " + words(b.Bar)
	if b.Kind == timeline.Check {
		text += ": " + printable.Line(b.What, maxTitle)
	}
	if b.Kind == timeline.Call && b.Took >= time.Millisecond {
		text += ", after " + explain.Duration(b.Took)
	}
	return text
}
