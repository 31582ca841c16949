package render

import (
	"fmt"
	"strings"
)

// Note writes a sentence.
func (s *Screen) Note(text string) { s.para(0, normal, text) }

// Good writes a sentence about something that holds.
func (s *Screen) Good(text string) { s.marked(span{"✓", good}, text) }

// Bad writes a sentence about something that does not.
func (s *Screen) Bad(text string) { s.marked(span{"✗", bad}, text) }

func (s *Screen) marked(m span, text string) {
	s.put(span{s.safe(m.text) + " ", m.style}, span{text, normal})
}

// Problem says why a command could not do its work, and what helps.
func (s *Screen) Problem(message, help string) {
	s.put(span{"checker: ", bad}, span{message, normal})
	s.para(len("checker: "), normal, help)
}

// Raw writes the original text of the runtime and the race detector. It is
// unwrapped, and made as harmless as any other.
func (s *Screen) Raw(text string) {
	for line := range strings.Lines(text) {
		s.write(s.safe(strings.TrimRight(line, "\r\n")) + "\n")
	}
}

// Clear empties a terminal; elsewhere it leaves a line between what was and what comes.
func (s *Screen) Clear() {
	if s.o.Live {
		s.write("\x1b[H\x1b[2J")
		return
	}
	s.rule(span{"again", faint})
}

// Level is how a check of the machine ended.
type Level int

// The levels of a Check.
const (
	OK   Level = iota
	Warn       // works, with less
	Fail       // must be mended
)

// Check is one thing that was looked at on this machine.
type Check struct {
	Name  string
	State Level
	Found string // what is there
	Mend  string // what to do about it, empty where nothing is needed
}

// Doctor writes what was found on this machine and how to mend what is missing.
func (s *Screen) Doctor(checks []Check) {
	names := 0
	bads := 0
	for _, c := range checks {
		names = max(names, width(s.safe(c.Name)))
		if c.State == Fail {
			bads++
		}
	}
	for _, c := range checks {
		m := [...]span{{"✓", good}, {"!", warn}, {"✗", bad}}[c.State]
		s.put(span{pad(s.safe(m.text), 3) + pad(s.safe(c.Name), names) + "  ", m.style}, span{c.Found, normal})
		if c.Mend != "" {
			s.put(span{pad("", 3+names+2) + s.safe("→ "), m.style}, span{c.Mend, normal})
		}
	}
	s.blank()
	if bads > 0 {
		s.Bad(fmt.Sprintf("This machine cannot grade yet: mend what is marked %s.", s.safe("✗")))
		return
	}
	s.Good("This machine can grade.")
}

// Progress says that done of total steps are done, and which was the last. On a
// terminal it is one line that is written over; elsewhere a line for each tenth.
func (s *Screen) Progress(done, total int, label string) {
	if total <= 0 {
		return
	}
	const cells = 20
	full := cells * done / total
	bar := strings.Repeat(s.safe("█"), full) + strings.Repeat(s.safe("░"), cells-full)
	if !s.o.Live {
		if tenth := 10 * done / total; tenth > s.tenth {
			s.tenth = tenth
			s.Note(fmt.Sprintf("%d of %d: %s", done, total, label))
		}
		return
	}
	room := s.width - 1 // the last column would wrap on some terminals
	text, _ := split(s.safe(fmt.Sprintf("%s %d/%d  %s", bar, done, total, strings.ReplaceAll(label, "\n", " "))), room)
	s.write("\r" + pad(text, room))
	if done >= total {
		s.end()
	}
}
