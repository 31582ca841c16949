package outcome

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/syntax"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// race recognises a report of the race detector. Exit code 66 alone will not do:
// the detector also exits so when it runs out of memory.
func (f *folder) race() bool {
	report, ok := f.report()
	if !ok {
		return false
	}
	f.r.Verdict = verdict.DataRace
	f.r.Race = f.accesses(report)
	f.touch(f.r.Race)
	for _, a := range f.r.Race {
		if a.At.Line > 0 {
			f.r.At = a.At
			break
		}
	}
	if rec, ok := f.record(wire.Failure); ok {
		f.r.History = rec.History
	}
	return true
}

// report is the first report that says something of the subject. Where the case has
// failed, a report of how the failure was put into words does not: what was compared
// by then was different, whatever is written to it now.
func (f *folder) report() (string, bool) {
	_, failed := f.record(wire.Failure)
	for i, text := range strings.Split(f.raw.Stderr, "WARNING: DATA RACE\n") {
		text, _, _ = strings.Cut(text, "\n==================")
		if i > 0 && !(failed && formatting(text)) {
			return text, true
		}
	}
	return "", false
}

// formatting reports whether one side of a race is the suite putting a failure into words.
func formatting(report string) bool {
	return slices.ContainsFunc(sections(report), func(s section) bool {
		return accessLine.MatchString(s.head) && slices.ContainsFunc(s.frames, func(f goroutine.Frame) bool {
			return slices.Contains(formatters, f.Func)
		})
	})
}

// formatters are the functions that make a text of a failure.
var formatters = []string{
	Module + "/checker/internal/conform.(*T).Errorf", Module + "/checker/internal/conform.(*T).Fatalf",
}

var (
	accessLine  = regexp.MustCompile(`^(?:Previous )?((?:atomic |[Aa]tomic )?(?:[Rr]ead|[Ww]rite)) at 0x[0-9a-f]+ by (main goroutine|goroutine (\d+))`)
	createdLine = regexp.MustCompile(`^Goroutine (\d+) \(.*\) created at:`)
)

// section is a headline of the report and the frames below it.
type section struct {
	head   string
	frames []goroutine.Frame
}

// accesses reads the two accesses and the go statements that led to them.
func (f *folder) accesses(report string) []Access {
	all := sections(report)
	created := map[string]section{}
	for _, s := range all {
		if m := createdLine.FindStringSubmatch(s.head); m != nil {
			created[m[1]] = s
		}
	}
	var accesses []Access
	for _, s := range all {
		if m := accessLine.FindStringSubmatch(s.head); m != nil {
			accesses = append(accesses, f.access(strings.ToLower(m[1]), s, created[m[3]]))
		}
	}
	return accesses
}

// access is one side of a race.
func (f *folder) access(op string, s, created section) Access {
	a := Access{Op: op, At: f.learnersLine(s.frames), Via: f.via(s.frames)}
	a.Started, a.Library = f.origin(s, created)
	a.Main = a.Started.Line == 0
	a.named(s.frames)
	a.Unseen = a.At.Line == 0 && !slices.ContainsFunc(s.frames, func(frame goroutine.Frame) bool { return strings.HasPrefix(frame.Func, Module+"/") })
	if frame, ok := f.innermost(s.frames); ok {
		a.Within = within(s.frames[:slices.Index(s.frames, frame)])
	}
	for _, h := range f.locked(s.frames) {
		a.Holds = append(a.Holds, Lock{Name: h.On, At: h.at, Read: h.Read, Key: h.Key})
	}
	a.Locked = a.writes() && len(a.Holds) > 0 && !slices.ContainsFunc(a.Holds, func(l Lock) bool { return !l.Read })
	return a
}

// named gives an access the name of what the runtime did, and not of the memory that it used
// for that.
func (a *Access) named(frames []goroutine.Frame) {
	if len(frames) == 0 {
		return
	}
	switch outer := frames[0].Func; {
	case outer == "runtime.raceread": // only a WaitGroup tells the detector of accesses in this way
		a.Op, a.Near = WaitGroupAdd, true
	case outer == "runtime.racewrite":
		a.Op, a.Near = WaitGroupWait, true
	case outer == "runtime.closechan":
		a.Op = ChannelClose
	case outer == "runtime.chansend": // in a select, too
		a.Op = ChannelSend
	case strings.HasPrefix(outer, "runtime.map") && a.writes():
		a.Op = MapWrite
	case strings.HasPrefix(outer, "runtime.map"):
		a.Op = MapRead
	case strings.HasPrefix(outer, "sync/atomic."):
		a.Near = true
	}
}

// touch says what the lines of both sides of a race name, if that is one thing. A line that
// only calls what has touched it says nothing.
func (f *folder) touch(race []Access) {
	if len(race) != 2 || race[0].elsewhere() || race[1].elsewhere() {
		return
	}
	line := func(a Access) (all []syntax.Touch) {
		for _, t := range f.Sources[a.At.File].Touches {
			if t.Line == a.At.Line {
				all = append(all, t)
			}
		}
		return all
	}
	both, ok := syntax.Common(line(race[0]), line(race[1]), race[0].writes(), race[1].writes())
	if !ok {
		return
	}
	name := both.On
	if !slices.ContainsFunc(line(race[1]), func(t syntax.Touch) bool { return t.On == both.On }) {
		name = both.Key // each side has a name of its own for the receiver
	}
	for i := range race {
		race[i].Touches = name
		for _, t := range line(race[i]) {
			if t.Key == both.Key && t.How != "" {
				race[i].Does = string(t.How)
			}
		}
	}
}

// elsewhere reports whether an access is not known to be on its line.
func (a Access) elsewhere() bool { return a.At.Line == 0 || a.Near || a.Within != "" }

func (a Access) writes() bool { return strings.HasSuffix(a.Op, "write") }

// origin is where the goroutine of an access was started, and whether a library did it that
// the learner's line had called. It is zero for a goroutine of the suite's, also where the
// learner's code had called the suite.
func (f *folder) origin(s, created section) (at Location, library bool) {
	i := slices.IndexFunc(created.frames, func(frame goroutine.Frame) bool { return !starters[frame.Func] })
	if i < 0 {
		return Location{}, false
	}
	switch first := created.frames[i]; {
	case first.In(f.pkgs()...):
		// The detector leaves generic functions out of the stack of a starter: the literal
		// that runs is the better answer.
		if lit := f.bottom(s.frames); i > 0 && lit.Line > 0 {
			return lit, false
		}
		return f.locate(first), false
	case strings.HasPrefix(first.Func, Module+"/"):
		return Location{}, false
	}
	at = f.learnersLine(created.frames)
	return at, at.Line > 0
}

// via are the learner's calls above the innermost one, up to an exported function. The go
// statement that began the goroutine is none.
func (f *folder) via(frames []goroutine.Frame) []Location {
	var path []Location
	for _, frame := range frames {
		if !frame.In(f.pkgs()...) || !strings.HasPrefix(frame.File, Module+"/") {
			continue
		}
		at := f.locate(frame)
		if len(path) > 0 && strings.HasSuffix(at.Func, GoStatement) {
			break
		}
		path = append(path, at)
		if exported(at.Func) {
			break
		}
	}
	if len(path) < 2 {
		return nil
	}
	return path[1:]
}

// exported reports whether a function, as written, can be called from outside.
func exported(fn string) bool {
	name := fn[strings.LastIndexByte(fn, '.')+1:]
	return name != "" && !strings.Contains(name, " ") && unicode.IsUpper([]rune(name)[0])
}

// learnersLine is the place of the learner's innermost frame; zero if there is none.
func (f *folder) learnersLine(frames []goroutine.Frame) Location {
	frame, _ := f.innermost(frames)
	return f.locate(frame)
}

func sections(report string) []section {
	var all []section
	lines := strings.Split(report, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case line == "":
		case !strings.HasPrefix(line, " "):
			all = append(all, section{head: line})
		case len(all) > 0 && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "      "):
			last := &all[len(all)-1]
			last.frames = append(last.frames, raceFrame(line, lines[i+1]))
			i++
		}
	}
	return all
}

// raceFrame reads "  pkg.Func()" and "      /path/file.go:12 +0x1d".
func raceFrame(fn, pos string) goroutine.Frame {
	g := goroutine.Parse("goroutine 1 [running]:\n" + strings.TrimSpace(fn) + "\n\t" + strings.TrimSpace(pos))
	return g[0].Frames[0]
}
