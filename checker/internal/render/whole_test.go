package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// refused is the screen of a lab of which no case was run.
func refused(s *Screen, v verdict.Verdict, e explain.Explanation) {
	lab, results := labOf(recorded{Case: conform.Meta{Name: "keeps-order", Points: 5}})
	for i, c := range lab.Cases {
		results[i] = outcome.Result{Lab: lab.Dir, Case: c.Name, Verdict: v, Max: c.Points}
	}
	s.LabStart(lab)
	s.CaseDetail(e)
	s.LabEnd(lab, results, "make lab-2")
}

const compilerText = `# github.com/controllerbook/controllerbook/labs/01-goroutines
labs/01-goroutines/gather.go:5:2: "errors" imported and not used
labs/01-goroutines/gather.go:31:14: cannot use "a" (untyped string constant) as int value in variable declaration
labs/01-goroutines/gather.go:33:9: not enough return values
	have (nil)
	want ([]T, error)
`

const bridgeText = `# github.com/controllerbook/controllerbook/checker/internal/bridges/triggers
checker/internal/bridges/triggers/bridge.go:60:9: invalid operation: a == b (struct containing []int cannot be compared)
`

func TestALabThatDoesNotCompile(t *testing.T) {
	golden(t, "compile-error", func(s *Screen) { refused(s, verdict.CompileError, explain.Compile(compilerText)) })
	golden(t, "compile-signature", func(s *Screen) { refused(s, verdict.CompileError, explain.Compile(bridgeText)) })
}

func TestALabThatTheGateRefuses(t *testing.T) {
	found := []gate.Violation{
		{File: "gather.go", Line: 6, Col: 2, Kind: gate.Import, Message: `The lab does not allow the import of "os/exec": it starts other programs.`,
			Help: "This lab may import: context, errors, fmt, runtime/debug (only Stack), slices, sync, sync/atomic."},
		{File: "gather.go", Line: 12, Col: 1, Kind: gate.Builtin, Message: "The builtin println writes past the checker.", Help: "For debugging use fmt.Println."},
	}
	golden(t, "forbidden", func(s *Screen) {
		refused(s, verdict.Forbidden, explain.Forbidden("labs/01-goroutines", found))
	})
	syntax := []gate.Violation{{File: "gather.go", Line: 33, Col: 1, Kind: gate.Syntax,
		Message: "expected '}', found 'EOF'", Help: "Close the brace that is open."}}
	golden(t, "syntax-error", func(s *Screen) {
		refused(s, verdict.Forbidden, explain.Forbidden("labs/01-goroutines", syntax))
	})
}

// book is a few labs of all lengths.
func book() []Row {
	row := func(n int, dir, title, builds string, points int, st State) Row {
		return Row{Lab: catalog.Lab{Number: n, Lab: conform.Lab{Dir: dir, Title: title, Builds: builds}}, Points: points, Max: 100, State: st}
	}
	return []Row{
		row(1, "01-goroutines", "Goroutines", "run many functions at once: bounded, in order, and panic-proof", 100, Done),
		row(2, "02-channels", "Channels", "a worker pool that leaks nothing", 37, InProgress),
		row(12, "12-rate-limiting-queue", "Rate-limiting queue", "per-item exponential backoff, a token bucket, and a queue that asks them", 0, NotStarted),
	}
}

func TestLists(t *testing.T) {
	golden(t, "list", func(s *Screen) { s.List(book(), "make lab-2") })
	lab := catalog.Lab{Number: 1, Lab: conform.Lab{Dir: "01-goroutines", Title: "Goroutines"}}
	c := conform.Meta{Name: "keeps-order", Func: "Gather", Rule: "Results stand in the order of the tasks, whatever the order in which the tasks end.",
		Hint: []string{"Which goroutine knows the position of its result?", "Make the result slice full length before the first task starts. Goroutine i writes element i and nothing else."}}
	golden(t, "hint", func(s *Screen) { s.Hint(lab, c, 1); s.blank(); s.Hint(lab, c, 2) })
	golden(t, "next", func(s *Screen) { s.Next(lab, c, "make lab-1") })
}

// TestAScreenWithKeys is what checker watch puts around a page, and pages of it.
func TestAScreenWithKeys(t *testing.T) {
	keys := []Key{{"h", "hint"}, {"n", "next"}, {"q", "quit"}}
	watched := func(name string, show func(s *Screen)) {
		golden(t, name, func(s *Screen) {
			s.o.Keys = true
			show(s)
		})
	}
	watched("keys", func(s *Screen) {
		s.Head(Head{Title: "Lab 01  Goroutines", Status: "0/100 points, graded at 12:00:00"})
		s.Keys(keys, false, Part{First: 1, Last: 20, Of: 20})
		s.Head(Head{Title: "Lab 01  Goroutines", Status: "building …", Busy: true})
		s.Keys(keys, true, Part{First: 21, Last: 40, Of: 53})
		s.Head(Head{Title: strings.Repeat("long", 25), Status: "building …"})
		s.Keys(slices.Repeat(keys, 20), true, Part{First: 1, Last: 2, Of: 1000})
		s.Folded("Write at 0x00c000019c08 by goroutine 20:\n\tgithub.com/controllerbook/controllerbook/labs/01-goroutines.Gather()\n\n\x1b[31mred\n")
		s.Section("all cases")
	})
	lab := catalog.Lab{Number: 1, Lab: conform.Lab{Dir: "01-goroutines", Title: "Goroutines"}}
	c := conform.Meta{Name: "keeps-order", Func: "Gather", Rule: "Results stand in the order of the tasks.", Hint: []string{"One.", "Two."}}
	watched("keys-pages", func(s *Screen) {
		s.List(book(), "make lab-2")
		s.blank()
		s.Hint(lab, c, 1)
		s.blank()
		s.Next(lab, c, "")
	})
	watched("keys-failing", func(s *Screen) { failing(s, load(t, "testdata/data-race.json")) })
}

func TestMessages(t *testing.T) {
	golden(t, "messages", func(s *Screen) {
		s.Problem(`there is no lab "gorutines"; did you mean "goroutines"?`, "checker --help lists the commands, checker list the labs.")
		s.Note("The stub of lab 01-goroutines is back in labs/01-goroutines.")
		s.Bad("01-goroutines, fault limit-not-kept: survived")
		s.Good("22 labs, 310 proofs")
		s.Section("again")
	})
	golden(t, "doctor", func(s *Screen) {
		s.Doctor([]Check{
			{Name: "Go", Found: "go1.26.8"},
			{Name: "C compiler", State: Fail, Found: "gcc was not found", Fix: "install gcc or clang, or enter `nix develop`: the race detector is linked with it"},
			{Name: "namespaces", State: Warn, Found: "not allowed", Fix: "only grading other people's code needs it"},
		})
	})
}

func TestProgressIsALineForEachTenthWithoutATerminal(t *testing.T) {
	var out bytes.Buffer
	s := New(&out, Options{})
	for i := range 95 {
		s.Progress(i+1, 95, fmt.Sprint("case ", i))
	}
	assert.Equal(t, 10, strings.Count(out.String(), "\n"))
	assert.NotContains(t, out.String(), "\r")
	assert.Contains(t, out.String(), "95 of 95: case 94\n")
}

func TestProgressIsOneLineOnATerminal(t *testing.T) {
	var out bytes.Buffer
	s := New(&out, Options{Live: true, ASCII: true})
	s.Progress(1, 4, strings.Repeat("long ", 40))
	s.Progress(4, 4, "done")
	frames := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\r")
	assert.Len(t, frames, 3, "each step begins at the left edge")
	assert.Contains(t, frames[1], "#####............... 1/4  long")
	assert.Contains(t, frames[2], "#################### 4/4  done")
	for _, f := range frames[1:] {
		assert.Equal(t, usualWidth-1, len(f), "a frame covers the one before it and leaves the last column free")
	}
}

func TestTheGradingOfAClass(t *testing.T) {
	g := Grading{Done: 3, Total: 12, Student: "ada", Lab: "01-goroutines", Word: "data-race", Points: 5, Max: 100, Counts: "1 pass, 2 data-race", Left: 90 * time.Second}
	var lines, live bytes.Buffer
	s := New(&lines, Options{})
	s.Grading(g)
	g.Earlier = true
	s.Grading(g)
	assert.Equal(t, " 3/12  ada  01-goroutines  5/100  data-race\n", lines.String(), "a result that stands needs no line")
	s = New(&live, Options{Live: true, ASCII: true})
	s.Grading(g)
	g.Done = 12
	s.Grading(g)
	assert.Equal(t, "\r"+pad("#####............... 3/12  about 1m30s left  1 pass, 2 data-race", usualWidth-1)+
		"\r"+pad("#################### 12/12  1 pass, 2 data-race", usualWidth-1)+"\n", live.String())
}
