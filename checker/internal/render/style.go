package render

import "github.com/fatih/color"

// style is how a text looks; the zero value is as the terminal does.
type style int

const (
	normal style = iota
	bold
	faint
	good
	bad
	warn
	place // a file and line
)

// palette is the colours of one screen.
type palette map[style]*color.Color

// newPalette decides for this screen alone: the package's own switch is global
// and looks at os.Stdout, which need not be where the screen writes.
func newPalette(on bool) palette {
	p := palette{
		bold:  color.New(color.Bold),
		faint: color.New(color.Faint),
		good:  color.New(color.FgGreen),
		bad:   color.New(color.FgRed, color.Bold),
		warn:  color.New(color.FgYellow),
		place: color.New(color.FgCyan),
	}
	for _, c := range p {
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return p
}

func (p palette) text(s span) string {
	c, ok := p[s.style]
	if !ok || s.text == "" {
		return s.text
	}
	return c.Sprint(s.text)
}
