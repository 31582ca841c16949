package render

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/explain"
)

const indent = 2

// CaseDetail writes all there is to say about one failing case, or about a lab
// that could not be run. The step that follows from the first of them is written
// by LabEnd: a screen ends with exactly one.
func (s *Screen) CaseDetail(e explain.Explanation) {
	if s.next.Do == "" {
		s.next = e.Next
	}
	s.refused = s.refused || e.Case == ""
	s.blank()
	s.title(e)
	s.blank()
	s.para(indent, normal, e.What)
	s.places(e)
	s.facts(e.Facts)
	s.history(e)
	s.output(e.Output)
	s.teaching(e)
	s.akin(e.Akin)
	if e.Again != "" {
		s.blank()
		s.field("again", faint, span{s.pasteable(e.Again), faint})
	}
}

// akin names other failures that need not be looked at before this one is fixed.
func (s *Screen) akin(names []string) {
	const most = 5
	if len(names) == 0 {
		return
	}
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	s.blank()
	s.para(indent, normal, "Perhaps the same cause: "+text+".")
}

// pasteable breaks a command that is too long for its line with backslashes, so that it can
// be pasted into a shell.
func (s *Screen) pasteable(command string) string {
	const mark = " \\"
	var lines []string
	for _, line := range s.wrap([]span{{command, faint}}, s.width-fieldWidth-len(mark)) {
		text := ""
		for _, sp := range line {
			text += sp.text
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, mark+"\n")
}

func (s *Screen) title(e explain.Explanation) {
	m := mark(e.Verdict)
	if e.Case == "" {
		s.rule(span{e.Title, m.style})
		return
	}
	s.rule(span{e.Case, bold}, span{" · ", faint}, span{e.Title, m.style})
}

// places lists lines of the learner's code and what happened there.
func (s *Screen) places(e explain.Explanation) {
	for _, p := range e.Places {
		s.blank()
		s.put(span{text: "    "}, span{p.Label, bold})
		if p.At.File != "" {
			s.put(span{text: "      "}, located(p.At)...)
		}
		if p.Code != "" {
			s.put(span{s.safe("      │ "), faint}, span{p.Code, normal})
		}
		for _, n := range p.Notes {
			s.para(6, normal, n)
		}
	}
	if e.More > 0 {
		s.blank()
		s.para(4, faint, fmt.Sprintf("and %d more like these", e.More))
	}
}

// facts lists named values, their names in a column.
func (s *Screen) facts(facts []explain.Fact) {
	if len(facts) == 0 {
		return
	}
	s.blank()
	longest := 0
	for _, f := range facts {
		longest = max(longest, width(f.Name))
	}
	for _, f := range facts {
		s.put(span{"    " + pad(f.Name, longest) + "  ", faint}, span{f.Text, normal})
	}
}

// output shows what the learner's code printed.
func (s *Screen) output(text string) {
	if text == "" {
		return
	}
	s.blank()
	s.para(indent, faint, "Your code printed:")
	for line := range strings.SplitSeq(text, "\n") {
		s.put(span{s.safe("    │ "), faint}, span{line, normal})
	}
}

// teaching is the rule, what the stub says of it, why it is one, and what the verdict means.
func (s *Screen) teaching(e explain.Explanation) {
	if e.Rule != "" || e.Why != "" {
		s.blank()
		s.field("rule", bold, span{e.Rule, bold})
		for _, sentence := range e.Stub {
			s.field("stub", faint, span{"“" + sentence + "”", normal})
		}
		s.field("why", faint, span{e.Why, normal})
	}
	if e.Lesson != "" {
		s.blank()
		s.para(indent, normal, e.Lesson)
	}
}

// fieldWidth is where the text of a field begins.
const fieldWidth = 9

// field writes a named text.
func (s *Screen) field(name string, look style, body span) {
	if body.text != "" {
		s.put(span{pad("  "+name, fieldWidth), look}, body)
	}
}
