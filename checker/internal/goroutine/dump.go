// Package goroutine reads the text of a goroutine dump, as runtime.Stack and a
// crashing process write it, into values that can be judged and shown.
package goroutine

import (
	"slices"
	"strconv"
	"strings"
)

// Frame is one call on a stack.
type Frame struct {
	Func string `json:"func"` // full name: "path/to/pkg.(*Type).Method"
	File string `json:"file"`
	Line int    `json:"line"`
	Recv string `json:"-"` // the address of a method's receiver, where the dump has it for sure
}

// Goroutine is one goroutine of a dump.
type Goroutine struct {
	ID      int     `json:"id"`
	State   string  `json:"state"`            // "chan receive", "sync.Mutex.Lock", "running"…
	Durable bool    `json:"-"`                // blocked on something inside its synctest bubble
	Leaked  bool    `json:"-"`                // the runtime's leak profile says nothing can wake it
	Bubble  int     `json:"-"`                // synctest bubble, 0 outside of any
	Frames  []Frame `json:"frames"`           // innermost first
	Creator Frame   `json:"creator,omitzero"` // the go statement that started it; zero for main
}

// first reads the first line of a goroutine, as it is in a dump or as a crashing process writes it, with
// gp=, m= and perhaps mp= behind the number. It does without a regular expression: by that, a dump of a
// thousand goroutines takes many milliseconds, and the watchdog takes four dumps a second.
func first(line string) (id, bracket string, ok bool) {
	line, ok = strings.CutPrefix(line, "goroutine ")
	if !ok {
		return "", "", false
	}
	id, rest, _ := strings.Cut(line, " ")
	if after, has := skip(rest, "gp="); has {
		if after, has = skip(after, "m="); !has {
			return "", "", false
		}
		rest, _ = skip(after, "mp=")
	}
	bracket, opened := strings.CutPrefix(rest, "[")
	bracket, closed := strings.CutSuffix(bracket, "]:")
	ok = opened && closed && !strings.Contains(bracket, "]") && id != "" && strings.Trim(id, "0123456789") == ""
	return id, bracket, ok
}

// skip cuts the field of that name, as in "m=0 ", off the beginning of text.
func skip(text, name string) (rest string, has bool) {
	field, rest, found := strings.Cut(text, " ")
	if value, is := strings.CutPrefix(field, name); !found || !is || value == "" || strings.ContainsAny(value, "\t\n\f\r") {
		return text, false
	}
	return rest, true
}

// Parse reads every goroutine of a dump and passes over all other lines, so a
// dump may be embedded in a panic message or surrounded by a program's own output.
func Parse(dump string) []Goroutine {
	var all []Goroutine
	lines := strings.Split(dump, "\n")
	for i := 0; i < len(lines); i++ {
		id, bracket, ok := first(strings.TrimRight(lines[i], "\r"))
		if !ok {
			continue
		}
		g := newGoroutine(id, bracket)
		for i+1 < len(lines) && lines[i+1] != "" {
			if _, _, next := first(lines[i+1]); next {
				break
			}
			i++
			fn := lines[i]
			if i+1 >= len(lines) || !strings.HasPrefix(lines[i+1], "\t") {
				continue // "...additional frames elided..."
			}
			i++
			g.add(fn, lines[i])
		}
		all = append(all, g)
	}
	return all
}

func newGoroutine(id, bracket string) Goroutine {
	n, _ := strconv.Atoi(id)
	g := Goroutine{ID: n}
	for i, part := range strings.Split(bracket, ", ") {
		switch {
		case i == 0:
			g.State = part
		case strings.HasPrefix(part, "synctest bubble "):
			g.Bubble, _ = strconv.Atoi(strings.TrimPrefix(part, "synctest bubble "))
		}
	}
	g.State, g.Durable = cut(g.State, " (durable)")
	g.State, g.Leaked = cut(g.State, " (leaked)")
	return g
}

func cut(s, suffix string) (string, bool) {
	return strings.Replace(s, suffix, "", 1), strings.Contains(s, suffix)
}

func (g *Goroutine) add(fn, pos string) {
	f := Frame{Func: funcName(fn)}
	f.Recv = receiver(f.Func, strings.TrimPrefix(fn, f.Func))
	f.File, f.Line = position(pos)
	if rest, ok := strings.CutPrefix(fn, "created by "); ok {
		rest, _, _ = strings.Cut(rest, " in goroutine ")
		f.Func = rest
		g.Creator = f
		return
	}
	if f.Func == step {
		g.Frames = nil // nobody wrote that call: the goroutine is at the statement after it
		return
	}
	g.Frames = append(g.Frames, f)
}

// step is what the checker has the subject call between statements, nudge.Step.
const step = "github.com/controllerbook/controllerbook/checker/nudge.Step"

// funcName drops the argument list: the last parenthesis that opens at depth 0.
func funcName(s string) string {
	if !strings.HasSuffix(s, ")") {
		return s
	}
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// receiver is the first argument of a method of a pointer. The runtime marks those with a
// question mark that may be out of date, and leaves out those of calls that were inlined.
func receiver(fn, args string) string {
	first, _, _ := strings.Cut(strings.Trim(args, "()"), ",")
	if !strings.Contains(fn, ".(*") || !strings.HasPrefix(first, "0x") || strings.HasSuffix(first, "?") {
		return ""
	}
	return first
}

// position reads "\t/path/file.go:12 +0x1d".
func position(s string) (string, int) {
	s, _, _ = strings.Cut(strings.TrimSpace(s), " ")
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	n, _ := strconv.Atoi(s[i+1:])
	return s[:i], n
}

// timeless are the states that end only by what somebody else does: another goroutine,
// or a timer.
var timeless = map[string]bool{
	"chan send": true, "chan receive": true, "select": true,
	"chan send (nil chan)": true, "chan receive (nil chan)": true, "select (no cases)": true,
	"semacquire": true, "sync.Mutex.Lock": true, "sync.RWMutex.Lock": true, "sync.RWMutex.RLock": true,
	"sync.Cond.Wait": true, "sync.WaitGroup.Wait": true, "synctest.Run": true, "synctest.Wait": true,
	"coroutine": true, // an iterator of iter.Pull that nobody has asked for its next value, or who has asked
}

// Blocked reports whether g waits for another goroutine. A sleeper in a synctest bubble
// counts: the bubble's clock stands still until all its goroutines are durably blocked. A
// goroutine that waits inside the runtime itself does not count: runtime.GC and
// ReadMemStats wait for the world, which the dump that shows them has just stopped.
func (g Goroutine) Blocked() bool {
	if g.State == "semacquire" && len(g.Frames) > 0 && strings.HasPrefix(g.Frames[0].Func, "runtime.") {
		return false
	}
	return timeless[g.State] || g.Bubble != 0 && g.State == "sleep"
}

// OnMutex reports whether g waits for a lock, which a synctest bubble cannot see.
func (g Goroutine) OnMutex() bool {
	return strings.HasPrefix(g.State, "sync.Mutex") || strings.HasPrefix(g.State, "sync.RWMutex") || g.State == "semacquire"
}

// In reports whether the frame's function belongs to one of the packages with these
// import paths.
func (f Frame) In(pkgs ...string) bool {
	return slices.ContainsFunc(pkgs, func(pkg string) bool {
		return pkg != "" && strings.HasPrefix(f.Func, pkg+".")
	})
}

// Innermost is the frame of one of the packages nearest to the top of the stack.
func (g Goroutine) Innermost(pkgs ...string) (Frame, bool) {
	for _, f := range g.Frames {
		if f.In(pkgs...) {
			return f, true
		}
	}
	return Frame{}, false
}

// Touches reports whether g runs code of one of the packages or was started by it.
func (g Goroutine) Touches(pkgs ...string) bool {
	_, on := g.Innermost(pkgs...)
	return on || g.Creator.In(pkgs...)
}
