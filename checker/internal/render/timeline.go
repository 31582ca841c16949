package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/timeline"
)

// maxColumns is how many lanes have a column of their own. Further ones share the last.
const maxColumns = 12

// Timeline draws a history from top to bottom: a line for each beginning and each return, a
// column for each lane, and the words beside it.
func (s *Screen) Timeline(c timeline.Chart) {
	if c.Empty() {
		return
	}
	s.blank()
	g := graph{Screen: s, chart: c, when: s.whenColumn(c)}
	g.name()
	g.legend()
	if c.Earlier > 0 {
		s.para(indent, faint, fmt.Sprintf("… %d earlier events", c.Earlier))
	}
	bars := c.Bars()
	for n := 0; n < len(c.Moments); n++ {
		if gap := c.Moments[n].Gap; gap > 0 {
			g.pause(n, gap)
		}
		n += g.line(bars, n)
	}
}

// graph is a timeline while it is written.
type graph struct {
	*Screen
	chart   timeline.Chart
	when    int            // columns of a time
	columns map[[2]int]int // of a lane and its row
	names   []string       // of the columns
}

// name gives each row of each lane a column.
func (g *graph) name() {
	g.columns = map[[2]int]int{}
	for i, l := range g.chart.Lanes {
		for row := range l.Rows {
			at := len(g.names)
			if at < maxColumns {
				g.names = append(g.names, l.Who)
			} else {
				at = maxColumns - 1
				g.names[at] = "others"
			}
			g.columns[[2]int{i, row}] = at
		}
	}
}

// legend says whose the columns are, each name above its column.
func (g *graph) legend() {
	for i, name := range g.names {
		line := strings.Repeat(" ", g.left())
		for range i {
			line += g.safe("│") + " "
		}
		g.put(span{line, faint}, span{g.inline(name), bold})
	}
}

// left is where the first column is.
func (g *graph) left() int { return indent + g.when + 2 }

func (s *Screen) whenColumn(c timeline.Chart) int {
	most := 0
	for _, m := range c.Moments {
		most = max(most, width(s.safe(explain.Duration(m.At))))
	}
	return most
}

// pause is the line of a squeezed stretch of time.
func (g *graph) pause(n int, gap time.Duration) {
	g.put(span{g.prefix("", g.cells(n, nil)), faint}, span{"… " + explain.Duration(gap) + " later", faint})
}

// line writes place n. A call that returns at the very next place takes one line for both:
// then it returns 1, and else 0.
func (g *graph) line(bars []timeline.Placed, n int) (taken int) {
	when := ""
	if g.chart.Moments[n].New {
		when = explain.Duration(g.chart.Moments[n].At)
	}
	for _, b := range bars {
		begins, ends := b.From == n, b.To == n && b.Kind == timeline.Call
		if !begins && !ends {
			continue
		}
		at := g.columns[[2]int{b.Lane, b.Row}]
		brief := begins && b.To == n+1 && b.Kind == timeline.Call && !g.chart.Moments[n+1].New
		sign := sign(b, begins, brief)
		g.put(span{g.prefix(when, g.cells(n, map[int]string{at: sign})), look(b)}, g.happened(b, begins, brief)...)
		if brief {
			return 1
		}
		return 0
	}
	return 0
}

// sign is what stands in a column.
func sign(b timeline.Placed, begins, brief bool) string {
	switch {
	case b.Kind == timeline.Broke:
		return "✗"
	case b.Kind == timeline.Check, b.Kind == timeline.Note:
		return "●"
	case brief:
		return "■"
	case b.Kind == timeline.Open:
		return "▼"
	case begins:
		return "┬"
	}
	return "┴"
}

// look is the style of a line.
func look(b timeline.Placed) style {
	if b.Kind == timeline.Broke {
		return bad
	}
	return faint
}

// happened are the words of a line.
func (g *graph) happened(b timeline.Placed, begins, brief bool) []span {
	who := span{g.chart.Lanes[b.Lane].Who + ":", faint}
	switch {
	case b.Kind == timeline.Broke && b.What != "":
		return []span{who, {b.What, bad}}
	case b.Kind == timeline.Broke:
		return []span{{"the check fails here", bad}}
	case b.Kind == timeline.Check:
		return []span{{"checked here", bad}}
	case b.Kind == timeline.Open:
		return []span{who, {b.What, normal}, {"→ did not return", warn}}
	case brief && b.Back != "":
		return []span{who, {b.What, normal}, {"→", faint}, {b.Back, normal}}
	case begins || brief:
		return []span{who, {b.What, normal}}
	case b.Back == "":
		return []span{who, {b.What, faint}, {"returned", faint}}
	}
	return []span{who, {b.What, faint}, {"→", faint}, {b.Back, normal}}
}

// cells are the columns of place n, with the signs that are given.
func (g *graph) cells(n int, signs map[int]string) string {
	running := map[int]string{}
	for i, l := range g.chart.Lanes {
		for _, b := range l.Bars {
			at := g.columns[[2]int{i, b.Row}]
			switch {
			case b.From >= n || b.To < n || b.Kind == timeline.Call && b.To == n && signs == nil:
			case b.Kind == timeline.Open:
				running[at] = "┊"
			case b.Kind == timeline.Call:
				running[at] = "│"
			}
		}
	}
	line := ""
	for at := range g.names {
		switch {
		case signs[at] != "":
			line += signs[at]
		case running[at] != "":
			line += running[at]
		default:
			line += " "
		}
		line += " "
	}
	return line
}

// prefix is what stands before the words of a line.
func (g *graph) prefix(when, cells string) string {
	return strings.Repeat(" ", indent) + pad(g.safe(when), g.when) + "  " + g.safe(cells) + " "
}

// CaseTimeline is Timeline under the name of its case.
func (s *Screen) CaseTimeline(name string, c timeline.Chart) {
	s.blank()
	s.rule(span{name, bold})
	if c.Empty() {
		s.para(indent, faint, "This case records no history.")
	}
	s.Timeline(c)
}
