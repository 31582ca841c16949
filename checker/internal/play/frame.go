// Package play shows a control plane at work in a terminal: what `checker play`
// draws, and the keys it knows. The control plane itself is the learner's code and runs
// in a process of its own.
package play

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Snapshot is all that one frame shows.
type Snapshot struct {
	Elapsed time.Duration // since the control plane was started
	App     App
	Nodes   []Node
	Waiting int // pods that no node has been found for
	Queues  []Queue
	Events  []Event // the newest first
	Notice  string  // what the last key did

	NoOperator string // why there is none; "" where there is one
	Databases  []Database
	Cloud      Cloud
}

// App is the deployment that the keys act on.
type App struct {
	Name, Image                              string
	Desired, Pods, Updated, Ready, Available int
	MaxSurge, MaxUnavailable                 string
}

// Node is a simulated machine.
type Node struct {
	Name  string
	Ready bool // as the API has it
	Lost  bool // switched off, whatever the API has
	Used  int  // how much of its CPU the pods request, in percent
	Pods  []Pod
}

// Pod is how a pod of a node is drawn.
type Pod int

// The states of a pod that look different on the screen.
const (
	Starting Pod = iota
	Old          // runs, from a template that is on its way out
	Running      // runs, from the current template
	Broken       // failed, or on a node that no longer reports
)

// Queue is how many keys wait in a controller's queue.
type Queue struct {
	Name string
	Len  int
}

// Event is an Event object.
type Event struct {
	Age                    time.Duration
	Warning                bool
	Count                  int
	Reason, About, Message string
}

// Style is how a terminal is drawn on.
type Style struct {
	Color bool
	ASCII bool
}

// The smallest terminal that has room for everything.
const (
	MinWidth  = 80
	MinHeight = 24
)

// Frame draws s in exactly height lines, none of them wider than width columns.
func Frame(s Snapshot, width, height int, style Style) []string {
	p := &painter{width: width, style: style}
	if width < MinWidth || height < MinHeight {
		p.add(plain(fmt.Sprintf("%dx%d is too small: this needs %dx%d. q quits.", width, height, MinWidth, MinHeight)))
		return p.exactly(height)
	}
	more := (height - MinHeight) / 4 // of each list that may be long
	p.head(s)
	p.nodes(s, 6+more)
	p.databases(s, 3+more, 1+more)
	p.queues(s.Queues)
	p.rule("events")
	room := height - len(p.lines) - 4
	for _, e := range s.Events[:min(len(s.Events), room)] {
		p.event(e)
	}
	p.lines = p.exactly(height - 4)
	p.foot(s.Notice)
	return p.exactly(height)
}

// span is a piece of a line in one style.
type span struct{ sgr, text string }

// The styles, as parameters of SGR (ECMA-48 8.3.117).
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func plain(text string) span { return span{"", text} }

// painter puts lines together.
type painter struct {
	width int
	style Style
	lines []string
}

// add appends a line, cut to the width. What the learner's objects say is shown
// without control characters.
func (p *painter) add(spans ...span) {
	var b strings.Builder
	left := p.width
	for _, s := range spans {
		text := []rune(strings.Map(printable, s.text))
		text = text[:min(len(text), left)]
		left -= len(text)
		out := string(text)
		if p.style.ASCII {
			out = ascii.Replace(out)
		}
		if s.sgr == "" || !p.style.Color || out == "" {
			b.WriteString(out)
		} else {
			b.WriteString("\x1b[" + s.sgr + "m" + out + "\x1b[0m")
		}
	}
	p.lines = append(p.lines, b.String())
}

// printable keeps what takes one column and nothing else.
func printable(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return ' '
	case r < ' ' || r == 0x7f || r > 0x2fff || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.M, r):
		return '?'
	}
	return r
}

// ascii has a stand-in of the same width for everything that Frame draws.
var ascii = strings.NewReplacer("─", "-", "●", "#", "○", "o", "·", ".", "✗", "x", "✓", "+", "→", ">", "█", "=", "░", " ", "…", "~", "×", "x")

func (p *painter) exactly(height int) []string {
	lines := p.lines[:min(len(p.lines), height)]
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

func (p *painter) rule(title string) {
	p.add(span{faint, "── " + title + " " + strings.Repeat("─", p.width)})
}

func (p *painter) head(s Snapshot) {
	title := "a control plane of your own"
	clock := s.Elapsed.Truncate(time.Second).String()
	p.add(span{bold, title}, plain(strings.Repeat(" ", p.width-len(title)-len(clock))+clock))
	a := s.App
	state := span{green, "as desired"}
	if a.Updated != a.Desired || a.Available != a.Desired || a.Pods != a.Desired {
		state = span{yellow, "converging"}
	}
	p.add(plain("deployment "), span{bold, a.Name}, plain(fmt.Sprintf(" %s (surge %s, unavailable %s)  ", a.Image, a.MaxSurge, a.MaxUnavailable)), state)
	p.add(plain(fmt.Sprintf("  %d desired · %d pods · %d updated · %d ready · %d available", a.Desired, a.Pods, a.Updated, a.Ready, a.Available)))
}

// nodes draws so many nodes as there is room for, and says how many are left out.
func (p *painter) nodes(s Snapshot, room int) {
	waiting := ""
	if s.Waiting > 0 {
		waiting = fmt.Sprintf(" · %d pods wait for a node", s.Waiting)
	}
	p.rule("nodes" + waiting)
	shown := s.Nodes
	if len(shown) > room {
		shown = shown[:room-1]
	}
	for _, n := range shown {
		p.node(n)
	}
	if rest := len(s.Nodes) - len(shown); rest > 0 {
		p.add(span{faint, fmt.Sprintf("… and %d more", rest)})
	}
}

func (p *painter) node(n Node) {
	state := span{green, "ready   "}
	switch {
	case n.Lost && n.Ready:
		state = span{yellow, "silent  "} // switched off, and not noticed yet
	case n.Lost:
		state = span{red, "lost    "}
	case !n.Ready:
		state = span{yellow, "not yet "}
	}
	const bar = 10
	full := min(bar, max(0, (n.Used*bar+50)/100))
	line := []span{
		plain(fmt.Sprintf("%-10.10s", n.Name)), state,
		{cyan, strings.Repeat("█", full)}, {faint, strings.Repeat("░", bar-full)},
		plain(fmt.Sprintf(" %3d%% cpu %3d pods  ", n.Used, len(n.Pods))),
	}
	for _, pod := range n.Pods {
		line = append(line, looks[pod])
	}
	p.add(line...)
}

// looks are the pods on the screen. No two share a shape: colour alone says nothing.
var looks = map[Pod]span{
	Starting: {yellow, "·"},
	Old:      {cyan, "○"},
	Running:  {green, "●"},
	Broken:   {red, "✗"},
}

func (p *painter) queues(queues []Queue) {
	var words []string
	for _, q := range queues {
		words = append(words, fmt.Sprintf("%s %d", q.Name, q.Len))
	}
	p.add(span{faint, "── queues · "}, plain(strings.Join(words, " · ")), span{faint, " " + strings.Repeat("─", p.width)})
}

func (p *painter) event(e Event) {
	kind := span{"", "        "}
	if e.Warning {
		kind = span{yellow, "warning "}
	}
	times := ""
	if e.Count > 1 {
		times = fmt.Sprintf(" (%d times)", e.Count)
	}
	about := e.About + ": "
	if strings.Contains(e.Message, e.About) {
		about = "" // the message says it
	}
	p.add(span{faint, fmt.Sprintf("%4s ", age(e.Age))}, kind, span{bold, e.Reason}, plain(times+" "+about+e.Message))
}

// age is a duration in one unit: "7s", "12m", "3h".
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, d)/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}

func (p *painter) foot(notice string) {
	p.add(span{faint, "── ● current  ○ old template  · starting  ✗ failed " + strings.Repeat("─", p.width)})
	p.add(span{cyan, notice})
	p.add(plain("+ - scale  > < by ten  r roll out  u undo  w cut watches  x kill a controller"))
	p.add(plain("k n node off, on  d database  g grow it  D delete it  o cloud off, on  q quit"))
}
