package render

import (
	"fmt"
	"strings"
)

// Head is the first line of a screen with keys.
type Head struct {
	Title  string
	Status string // how things stand
	Busy   bool   // something is being done
}

// Head writes the first line of a screen with keys.
func (s *Screen) Head(h Head) {
	look := faint
	if h.Busy {
		look = warn
	}
	title, _ := split(s.inline(h.Title), s.width)
	status := ""
	if room := s.width - width(title) - 2; room > 0 {
		status, _ = split(s.inline(h.Status), room)
	}
	s.write(s.paint.text(span{title, bold}))
	if status != "" {
		s.write(pad("", s.width-width(title)-width(status)) + s.paint.text(span{status, look}))
	}
	s.end()
}

// Key is what a key does, in a word.
type Key struct{ Key, Does string }

// Part is how much of a page is seen: lines First to Last, of so many.
type Part struct{ First, Last, Of int }

// Keys writes the last line of a screen with keys, and a line above it. covered is while a
// page can be left.
func (s *Screen) Keys(keys []Key, covered bool, p Part) {
	s.write(s.paint.text(span{strings.Repeat(s.safe("─"), s.width), faint}))
	s.end()
	if covered {
		keys = append([]Key{{"esc", "back"}}, keys...)
	}
	where := ""
	if p.First > 1 || p.Last < p.Of {
		where = s.safe(fmt.Sprintf("↑↓ %d-%d of %d", p.First, p.Last, p.Of))
	}
	room := s.width - width(where)
	gap := ""
	for _, k := range keys {
		needs := width(gap) + width(k.Key) + 1 + width(k.Does)
		if needs > room {
			break // a narrow terminal
		}
		s.write(gap + s.paint.text(span{k.Key, bold}) + " " + k.Does)
		room, gap = room-needs, "  "
	}
	if where != "" {
		s.write(pad("", room) + s.paint.text(span{where, warn}))
	}
	s.end()
}

// Folded writes what Raw does, with long lines broken at the edge of the screen.
func (s *Screen) Folded(text string) {
	for line := range strings.Lines(text) {
		line = s.safe(strings.TrimRight(line, "\r\n"))
		for first := true; first || line != ""; first = false {
			var head string
			head, line = split(line, s.width)
			s.write(head)
			s.end()
		}
	}
}
