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

// Section writes a line with a title between what was and what comes.
func (s *Screen) Section(title string) {
	s.blank()
	s.rule(span{title, faint})
}

// Level is how a check of the machine ended.
type Level int

// The levels of a Check.
const (
	OK   Level = iota
	Warn       // works, with less
	Fail       // must be fixed
)

// Check is one thing that was looked at on this machine.
type Check struct {
	Name  string
	State Level
	Found string // what is there
	Fix   string // what to do about it, empty where nothing is needed
}

// Doctor writes what was found on this machine and how to fix what is missing.
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
		if c.Fix != "" {
			s.put(span{pad("", 3+names+2) + s.safe("→ "), m.style}, span{c.Fix, normal})
		}
	}
	s.blank()
	if bads > 0 {
		s.Bad(fmt.Sprintf("This machine cannot grade yet: fix what is marked %s.", s.safe("✗")))
		return
	}
	s.Good("This machine can grade.")
}
