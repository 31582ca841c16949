// Package render writes what the checker has to say to a terminal. It alone knows
// of colours, widths and marks, and it lets nothing that comes from a subject
// reach the terminal unescaped: see clean.
package render

import (
	"io"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
)

// Options say what the terminal can do. The zero value is plain text, 80 columns wide.
type Options struct {
	Color bool // use colours; the caller decides (NO_COLOR, --no-color, no terminal)
	ASCII bool // use no rune above 127
	Width int  // columns; 0 is 80
	Live  bool // a terminal: a line may be written over
	Keys  bool // the screen of a lab has a Head and Keys: what those say is said nowhere else
}

// Screen writes the checker's screens to one writer. It is for one goroutine.
//
// Write errors are dropped: when the terminal is gone there is nowhere to report them, and
// the exit code of a run must not depend on it.
type Screen struct {
	w     io.Writer
	o     Options
	paint palette
	width int

	lab     catalog.Lab  // the lab on the screen, for columns
	next    explain.Step // the first step that a CaseDetail of this lab offered
	refused bool         // the lab was refused as a whole: no case was run
	gap     bool         // the last line is empty
	tenth   int          // how much of a Progress has been printed
}

// Narrower than this, columns leave no room for words.
const (
	usualWidth  = 80
	narrowWidth = 40
)

// New returns a screen that writes to w.
func New(w io.Writer, o Options) *Screen {
	width := o.Width
	if width == 0 {
		width = usualWidth
	}
	return &Screen{w: w, o: o, paint: newPalette(o.Color), width: max(width, narrowWidth)}
}

// span is a text in one style.
type span struct {
	text  string
	style style
}

// blank writes an empty line, unless the last one is empty already.
func (s *Screen) blank() {
	if !s.gap {
		s.end()
		s.gap = true
	}
}

// end ends a line.
func (s *Screen) end() { s.write("\n") }

func (s *Screen) write(text string) {
	s.gap = false
	_, _ = io.WriteString(s.w, text)
}

// put writes prefix and behind it body, wrapped on words. Where the body has
// several lines, or needs them, all but the first begin at the column where the
// prefix ended.
func (s *Screen) put(prefix span, body ...span) {
	prefix.text = s.inline(prefix.text)
	column := width(prefix.text)
	for i, line := range s.wrap(body, s.width-column) {
		if i > 0 {
			prefix = span{text: strings.Repeat(" ", column)}
		}
		if len(line) == 0 {
			prefix.text = strings.TrimRight(prefix.text, " ")
		}
		s.write(s.paint.text(prefix))
		for _, sp := range line {
			s.write(s.paint.text(sp))
		}
		s.end()
	}
}

// para writes a paragraph, indented by so many columns.
func (s *Screen) para(indent int, style style, text string) {
	if text != "" {
		s.put(span{text: strings.Repeat(" ", indent)}, span{text, style})
	}
}

// safe is text as it may reach this terminal.
func (s *Screen) safe(text string) string {
	text = clean(text)
	if s.o.ASCII {
		text = ascii(text)
	}
	return text
}

// inline is text for a place where a line end would break the layout.
func (s *Screen) inline(text string) string {
	return strings.ReplaceAll(s.safe(text), "\n", `\n`)
}

// rule writes a line across the screen with a title in it.
func (s *Screen) rule(title ...span) {
	dash := s.safe("─")
	s.write(s.paint.text(span{dash + dash + " ", faint}))
	used := 3
	for _, t := range title {
		t.text = s.inline(t.text)
		s.write(s.paint.text(t))
		used += width(t.text)
	}
	s.write(s.paint.text(span{" " + strings.Repeat(dash, max(0, s.width-used-1)), faint}))
	s.end()
}
