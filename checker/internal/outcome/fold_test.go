package outcome

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

var about = Target{
	Lab: "01-goroutines", Paths: []string{"labs/01-goroutines"},
	Case:  conform.Meta{Name: "keeps-order", Points: 5, Func: "Gather"},
	Decls: map[string]Location{"Gather": {File: "labs/01-goroutines/gather.go", Line: 45, Func: "Gather"}},
	Lits:  []Span{{File: "labs/01-goroutines/gather.go", Start: 54, End: 70}},
}

const (
	pkg  = Module + "/labs/01-goroutines"
	file = Module + "/labs/01-goroutines/gather.go"

	raceReport = `==================
WARNING: DATA RACE
Read at 0x00c0000163f0 by goroutine 18:
  ` + pkg + `.Gather[go.shape.int].func2()
      ` + file + `:61 +0x148

Previous write at 0x00c0000163f0 by main goroutine:
  ` + pkg + `.Gather[go.shape.int]()
      ` + file + `:80 +0x1cd

Goroutine 18 (running) created at:
  sync.(*WaitGroup).Go()
      sync/waitgroup.go:238 +0x72
  ` + pkg + `.Gather[int]()
      ` + file + `:29 +0x7b
==================
`
	formattingReport = `==================
WARNING: DATA RACE
Read at 0x00c0000163f0 by goroutine 18:
  reflect.Value.Int()
      reflect/value.go:1470 +0x148
  fmt.Sprintf()
      fmt/print.go:240 +0x1
  ` + Module + `/checker/internal/conform.(*T).Errorf()
      ` + Module + `/checker/internal/conform/t.go:148 +0x1

Previous write at 0x00c0000163f0 by goroutine 19:
  ` + pkg + `.Gather[go.shape.int]()
      ` + file + `:80 +0x1cd
==================
`
	panicText = `panic: assignment to entry in nil map

goroutine 20 [running]:
` + pkg + `.Gather[...].func2()
	` + file + `:61 +0x148
created by sync.(*WaitGroup).Go in goroutine 9
	sync/waitgroup.go:238 +0x72
`
	heapDump = `goroutine 7 [runnable]:
` + pkg + `.Gather[...]()
	` + file + `:45 +0x1

goroutine 8 [runnable]:
` + pkg + `.Gather[...]()
	` + file + `:45 +0x1

goroutine 9 [running]:
` + pkg + `.Gather[...]()
	` + file + `:70 +0x1cd

goroutine 11 [running]:
` + pkg + `.Gather[...]()
	` + file + `:80 +0x1cd

goroutine 12 [runnable]:
` + pkg + `.Gather[...]()
	` + file + `:80 +0x1cd

goroutine 10 [chan receive]:
` + pkg + `.Gather[...]()
	` + file + `:61 +0x1
`
	stuckDump = `goroutine 8 [sync.Mutex.Lock]:
internal/sync.(*Mutex).lockSlow(0xc000016108)
	internal/sync/mutex.go:149 +0x1e6
` + pkg + `.(*Gatherer[...]).add(...)
	` + file + `:33 +0x40
created by ` + pkg + `.Gather[...] in goroutine 7
	` + file + `:50 +0x40

goroutine 9 [sync.Mutex.Lock]:
` + pkg + `.(*Gatherer[...]).add(...)
	` + file + `:33 +0x40
created by ` + pkg + `.Gather[...] in goroutine 7
	` + file + `:50 +0x40
`
)

func start() wire.Record             { return wire.Record{Kind: wire.Start} }
func end(passed bool) wire.Record    { return wire.Record{Kind: wire.End, Passed: passed} }
func rec(k wire.Kind) wire.Record    { return wire.Record{Kind: k, Message: "m", Dump: stuckDump} }
func of(r ...wire.Record) Raw        { return Raw{Records: r} }
func (r Raw) exit(code int) Raw      { r.Exit = code; return r }
func (r Raw) stderr(text string) Raw { r.Stderr = text; return r }

// stumble is a panic on the case's own goroutine, after these calls.
func stumble(message string, calls ...string) wire.Record {
	r := wire.Record{Kind: wire.Crash, Message: message, Dump: "goroutine 7 [running]:\nexample.com/suite.f()\n\ta.go:1\n"}
	for _, c := range calls {
		r.History = append(r.History, wire.Event{What: c})
	}
	return r
}

// ends are the ways in which a process can end, and what each of them is called.
var ends = map[string]struct {
	raw  Raw
	want verdict.Verdict
	line int
}{
	"a clean pass":                      {of(start(), end(true)), verdict.Pass, 45},
	"a pass that exits with 1":          {of(start(), end(true)).exit(1), verdict.Incomplete, 45},
	"a pass twice":                      {of(start(), end(true), end(true)), verdict.Incomplete, 45},
	"a pass that never started":         {of(end(true)), verdict.Incomplete, 45},
	"an exit before the end":            {of(start()), verdict.Incomplete, 45},
	"an exit before the start":          {of(), verdict.Incomplete, 45},
	"a forged pass on standard output":  {Raw{Stdout: "--- PASS: TestCases/keeps-order\nPASS\n"}, verdict.Incomplete, 45},
	"Goexit on the case's goroutine":    {of(start(), end(false)).exit(1), verdict.Incomplete, 45},
	"no orders":                         {of().exit(3), verdict.CheckerError, 45},
	"killed from outside":               {Raw{Records: []wire.Record{start()}, Exit: -1, Signal: "killed"}, verdict.CheckerError, 45},
	"a failure":                         {of(start(), rec(wire.Failure), end(false)).exit(1), verdict.WrongAnswer, 45},
	"a failure and its echoes":          {of(start(), rec(wire.Failure), rec(wire.Stuck)).exit(1), verdict.WrongAnswer, 45},
	"a race":                            {of(start()).exit(66).stderr(raceReport), verdict.DataRace, 61},
	"a race before a failure":           {of(start(), rec(wire.Failure)).exit(66).stderr(raceReport), verdict.DataRace, 61},
	"a race with a failure's words":     {of(start(), rec(wire.Failure)).exit(66).stderr(formattingReport), verdict.WrongAnswer, 45},
	"such a race, and one before it":    {of(start(), rec(wire.Failure)).exit(66).stderr(raceReport + formattingReport), verdict.DataRace, 61},
	"such a race, and one after it":     {of(start(), rec(wire.Failure)).exit(66).stderr(formattingReport + raceReport), verdict.DataRace, 61},
	"such a race without a failure":     {of(start()).exit(66).stderr(formattingReport), verdict.DataRace, 80},
	"exit 66 without a report":          {of(start()).exit(66), verdict.Incomplete, 45},
	"a panic of another goroutine":      {of(start()).exit(2).stderr(panicText), verdict.Panic, 61},
	"the suite and a nil it was given":  {of(start(), stumble("runtime error: invalid memory address or nil pointer dereference", "New()")).exit(2).stderr("panic: x\n"), verdict.WrongAnswer, 45},
	"the suite and a nil of its own":    {of(start(), stumble("runtime error: invalid memory address or nil pointer dereference")).exit(2).stderr("panic: x\n"), verdict.CheckerError, 45},
	"a panic of the suite's own words":  {of(start(), stumble("oops", "New()")).exit(2).stderr("panic: x\n"), verdict.CheckerError, 45},
	"a panic of the suite alone":        {of(start()).exit(2).stderr("panic: oops\n\ngoroutine 7 [running]:\nexample.com/suite.f()\n\ta.go:1\n"), verdict.CheckerError, 45},
	"a stub":                            {of(start()).exit(2).stderr("panic: controllerbook: Gather is not implemented yet\n"), verdict.NotImplemented, 45},
	"a stub behind a failure":           {of(start(), rec(wire.Failure)).exit(2).stderr("panic: controllerbook: Gather is not implemented yet\n"), verdict.NotImplemented, 45},
	"everything blocked":                {of(start(), rec(wire.Stuck)).exit(1), verdict.Deadlock, 33},
	"the runtime saw it itself":         {of(start()).exit(2).stderr("fatal error: all goroutines are asleep - deadlock!\n\n" + stuckDump), verdict.Deadlock, 45},
	"a bubble that hung":                {of(start(), rec(wire.Hung)).exit(1), verdict.Timeout, 33},
	"processor time spent":              {of(start(), rec(wire.Spinning)).exit(1), verdict.Timeout, 45},
	"a leak":                            {of(start(), rec(wire.Leak), end(false)).exit(1), verdict.GoroutineLeak, 33},
	"the heap limit":                    {of(start(), rec(wire.Memory)).exit(1), verdict.OutOfMemory, 45},
	"the heap limit, some not begun":    {of(start(), wire.Record{Kind: wire.Memory, Dump: heapDump}).exit(1), verdict.OutOfMemory, 80},
	"the runtime out of memory":         {of(start()).exit(2).stderr("fatal error: runtime: out of memory\n" + panicText), verdict.OutOfMemory, 61},
	"a flood":                           {Raw{Records: []wire.Record{start()}, Exit: -1, Signal: "killed", Flooded: true}, verdict.OutputFlood, 45},
	"a flood of the runtime's own":      {Raw{Records: []wire.Record{start()}, Stderr: "fatal error: runtime: out of memory\n" + panicText, Exit: -1, Signal: "killed", Flooded: true}, verdict.OutOfMemory, 61},
	"a flood of races":                  {Raw{Records: []wire.Record{start()}, Stderr: raceReport + raceReport[:40], Exit: -1, Signal: "killed", Flooded: true}, verdict.DataRace, 61},
	"out of wall clock":                 {Raw{Records: []wire.Record{start()}, Exit: -1, Signal: "killed", TimedOut: true}, verdict.Timeout, 45},
	"maps found by the runtime":         {of(start()).exit(2).stderr(strings.Replace(panicText, "panic: assignment to entry in nil map", "fatal error: concurrent map writes", 1)), verdict.DataRace, 61},
	"a failure in a process that lived": {of(start(), rec(wire.Failure), end(false)), verdict.WrongAnswer, 45},
}

func TestWhatUsesUpItsTimeSpinsOrIsSlow(t *testing.T) {
	spent := rec(wire.Spinning)
	r := Fold(about, of(start(), spent).exit(1))
	assert.True(t, r.Spins())
	assert.False(t, r.Slow())
	spent.GoesOn, spent.Detail = true, "the heap from 2 MB to 310 MB"
	r = Fold(about, of(start(), spent).exit(1))
	assert.True(t, r.Slow())
	assert.False(t, r.Spins())
	assert.Equal(t, "the heap from 2 MB to 310 MB", r.Detail)
	r = Fold(about, of(start(), rec(wire.Hung)).exit(1))
	assert.False(t, r.Spins() || r.Slow(), "it waits")
}

func TestFold(t *testing.T) {
	for name, c := range ends {
		t.Run(name, func(t *testing.T) {
			r := Fold(about, c.raw)
			assert.Equal(t, c.want, r.Verdict, r.Message)
			assert.Equal(t, c.line, r.At.Line)
			assert.Equal(t, 5, r.Max)
			if c.want == verdict.Pass {
				assert.Equal(t, 5, r.Points)
			} else {
				assert.Zero(t, r.Points)
			}
		})
	}
}

func TestARaceNamesBothAccesses(t *testing.T) {
	r := Fold(about, of(start()).stderr(raceReport))
	at := func(line int, fn string) Location {
		return Location{File: "labs/01-goroutines/gather.go", Line: line, Func: fn}
	}
	assert.Equal(t, []Access{
		// Started by WaitGroup.Go: the literal that runs tells more than the frame the detector kept.
		{Op: "read", At: at(61, "Gather (func literal)"), Started: at(54, "Gather (func literal)")},
		{Op: "write", At: at(80, "Gather"), Main: true},
	}, r.Race)
}

func TestGoroutinesAtOnePlaceAreCounted(t *testing.T) {
	r := Fold(about, of(start(), rec(wire.Stuck)))
	assert.Equal(t, []Goroutine{{
		State:   "sync.Mutex.Lock",
		At:      Location{File: "labs/01-goroutines/gather.go", Line: 33, Func: "Gatherer.add"},
		Started: Location{File: "labs/01-goroutines/gather.go", Line: 50, Func: "Gather"},
		Count:   2,
	}}, r.Goroutines)
}

func TestJoin(t *testing.T) {
	pass, fail := Result{Verdict: verdict.Pass, Points: 5, Max: 5}, Result{Verdict: verdict.DataRace, Max: 5}
	ours := Result{Verdict: verdict.CheckerError, Max: 5}
	for name, c := range map[string]struct {
		runs   []Result
		want   verdict.Verdict
		points int
		passed int
	}{
		"once":                  {[]Result{pass}, verdict.Pass, 5, 0},
		"all passed":            {[]Result{pass, pass, pass}, verdict.Pass, 5, 3},
		"none passed":           {[]Result{fail, fail}, verdict.DataRace, 0, 0},
		"some passed":           {[]Result{pass, fail, pass}, verdict.Unstable, 0, 2},
		"our failure is no run": {[]Result{pass, ours, pass}, verdict.Pass, 5, 2},
		"all ours":              {[]Result{ours, ours}, verdict.CheckerError, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := Join(c.runs)
			assert.Equal(t, c.want, r.Verdict)
			assert.Equal(t, c.points, r.Points)
			assert.Equal(t, c.passed, r.Passed)
		})
	}
}

// What blocks before the case begins is the package's own initialisation.
func TestAnInitialiserThatDoesNotEnd(t *testing.T) {
	r := Fold(about, Raw{Exit: -1, Signal: "killed", TimedOut: true})
	assert.Equal(t, verdict.Timeout, r.Verdict)
	assert.Contains(t, r.Message, "initialiser")
	r = Fold(about, Raw{Records: []wire.Record{start()}, Exit: -1, Signal: "killed", TimedOut: true})
	assert.NotContains(t, r.Message, "initialiser")
}

func TestAPassHasTheHistoryThatWasAskedFor(t *testing.T) {
	past := []wire.Event{{Who: "test", What: "Gather(ctx)", Began: 1, Returned: 2}}
	r := Fold(about, Raw{Records: []wire.Record{{Kind: wire.Start}, {Kind: wire.End, Passed: true, History: past}}})
	assert.Equal(t, verdict.Pass, r.Verdict)
	assert.Equal(t, past, r.History)
}

// A supervisor that logs a panic and starts its worker again is right, and a log says "panic:".
func TestWhatAProgramLogsIsNoVerdict(t *testing.T) {
	log := "panic: send on closed channel\n\ngoroutine 7 [running]:\nmain.work()\n\t/x/work.go:3 +0x1d\n\nfatal error: runtime: out of memory\n"
	records := []wire.Record{{Kind: wire.Start}, {Kind: wire.End, Passed: true}}
	assert.Equal(t, verdict.Pass, Fold(about, Raw{Records: records, Stderr: log}).Verdict)

	for _, raw := range []Raw{
		{Records: records, Stderr: log, Exit: 2},
		{Records: records[:1], Stderr: log, Exit: 2},
		{Records: append(records, wire.Record{Kind: wire.Leak}), Stderr: log},
		{Records: []wire.Record{{Kind: wire.Start}, {Kind: wire.End}}, Stderr: log},
		{Records: append(records, records...), Stderr: log},
		{Records: records, Stderr: log, Signal: "killed", Exit: -1},
	} {
		assert.NotEqual(t, verdict.Pass, Fold(about, raw).Verdict, "%+v", raw)
	}
}
