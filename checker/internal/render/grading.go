package render

import (
	"fmt"
	"strings"
	"time"
)

// Grading is how far the grading of a class is, and what came in last.
type Grading struct {
	Done, Total int
	Student     string
	Lab         string
	Word        string // what became of it
	Points, Max int
	Earlier     bool   // an earlier result that stands: it needs no line
	Counts      string // "120 pass, 3 data-race"
	Left        time.Duration
}

const barWidth = 20

// Grading shows how far a class is: on a terminal one line that is written over, and
// elsewhere a line for each result that is new.
func (s *Screen) Grading(g Grading) {
	if s.o.Live {
		s.write("\r\x1b[K" + s.bar(g))
		if g.Done == g.Total {
			s.end()
		}
		return
	}
	if g.Earlier {
		return
	}
	s.write(s.inline(fmt.Sprintf("%*d/%d  %s  %s  %d/%d  %s", len(fmt.Sprint(g.Total)), g.Done, g.Total, g.Student, g.Lab, g.Points, g.Max, g.Word)))
	s.end()
}

// GradingStopped ends the line of a Grading that did not come to its end.
func (s *Screen) GradingStopped() {
	if s.o.Live {
		s.end()
	}
}

func (s *Screen) bar(g Grading) string {
	filled := barWidth * g.Done / max(g.Total, 1)
	text := s.safe(strings.Repeat("█", filled) + strings.Repeat("░", barWidth-filled))
	text += fmt.Sprintf(" %d/%d", g.Done, g.Total)
	if g.Left > 0 && g.Done < g.Total {
		text += ", about " + g.Left.Round(time.Second).String() + " left"
	}
	text += "  " + s.inline(g.Counts)
	if runes := []rune(text); len(runes) >= s.width {
		text = string(runes[:s.width-1])
	}
	return text
}
