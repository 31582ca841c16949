package render

import (
	"fmt"
	"strings"
	"time"
)

// Progress says that done of total steps are done, and which was the last. On a terminal
// it is one line that is written over; elsewhere a line for each tenth.
func (s *Screen) Progress(done, total int, label string) {
	switch tenth := 10 * done / max(total, 1); {
	case s.o.Live:
		s.bar(done, total, label)
	case tenth > s.tenth:
		s.tenth = tenth
		s.Note(fmt.Sprintf("%d of %d: %s", done, total, label))
	}
}

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

// Grading shows how far a class is: on a terminal one line that is written over, and
// elsewhere a line for each result that is new.
func (s *Screen) Grading(g Grading) {
	switch {
	case s.o.Live && g.Left > 0 && g.Done < g.Total:
		s.bar(g.Done, g.Total, "about "+g.Left.Round(time.Second).String()+" left  "+g.Counts)
	case s.o.Live:
		s.bar(g.Done, g.Total, g.Counts)
	case !g.Earlier:
		s.write(s.inline(fmt.Sprintf("%*d/%d  %s  %s  %d/%d  %s", len(fmt.Sprint(g.Total)), g.Done, g.Total, g.Student, g.Lab, g.Points, g.Max, g.Word)))
		s.end()
	}
}

// GradingStopped ends the line of a Grading that did not come to its end.
func (s *Screen) GradingStopped() {
	if s.o.Live {
		s.end()
	}
}

// bar writes a progress bar over the line before it, and ends the line when all is done.
func (s *Screen) bar(done, total int, label string) {
	if total <= 0 {
		return
	}
	const cells = 20
	full := cells * done / total
	line := fmt.Sprintf("%s%s %d/%d  %s", strings.Repeat("█", full), strings.Repeat("░", cells-full), done, total, label)
	room := s.width - 1 // the last column would wrap on some terminals
	text, _ := split(s.inline(line), room)
	s.write("\r" + pad(text, room))
	if done >= total {
		s.end()
	}
}
