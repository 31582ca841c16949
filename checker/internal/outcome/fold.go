package outcome

import (
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Fold judges one run of one case.
//
// The order of the checks matters and is argued at each. A case passes only at
// the end, when the process reported exactly that case, passed, exited with 0,
// and nothing of the above was seen.
func Fold(t Target, raw Raw) Result {
	r := Result{
		Lab: t.Lab, Case: t.Case.Name, Max: t.Case.Points,
		Seed: raw.Seed, Took: raw.Wall, CPU: raw.CPU, Output: clipOutput(raw.Stdout), Raw: raw.Stderr,
		At: t.suspect(),
	}
	f := folder{Target: t, raw: raw, r: &r}
	f.fold()
	if r.Verdict == verdict.Pass {
		r.Points = r.Max
	}
	return r
}

// suspect is the one function in which the case looks for a mistake, or else that which it is about.
func (t Target) suspect() Location {
	if places := t.Case.Places(); len(places) == 1 {
		if at, ok := t.Decls[places[0]]; ok {
			return at
		}
	}
	return t.Decls[t.Case.Func]
}

type folder struct {
	Target
	raw Raw
	r   *Result
}

func (f *folder) fold() {
	switch {
	case f.race(): // before any other: with a race in it, nothing else a program shows means much, and many races are a flood
	case f.raw.Flooded && f.memory(): // the runtime that runs out of memory lists all goroutines, and thousands are a flood
	case f.raw.Flooded:
		f.r.Verdict = verdict.OutputFlood
		f.r.Output = clipOutput(f.raw.Stdout)
	case f.notImplemented(): // before a failure: other copies of the scenario may have got further
	case f.passed(): // before what stderr says: where a process ends well, it is the program that wrote it, and not the runtime
	case f.memory():
	case f.failure(): // before panic and deadlock: those are then echoes of a scenario that was broken off
	case f.crash():
	case f.blocked():
	case f.leak():
	default:
		f.accounts()
	}
}

// passed reports whether the process said that it began the case once and ended it once, and
// that the case passed, said nothing against it, and ended as such a process does.
func (f *folder) passed() bool {
	end, ended := f.record(wire.End)
	if !ended || !end.Passed || f.raw.Exit != 0 || f.raw.Signal != "" || f.raw.TimedOut || f.count(wire.Start) != 1 || f.count(wire.End) != 1 {
		return false
	}
	against := func(rec wire.Record) bool {
		return !slices.Contains([]wire.Kind{wire.Start, wire.Happened, wire.End}, rec.Kind)
	}
	if slices.ContainsFunc(f.raw.Records, against) {
		return false
	}
	f.r.Verdict, f.r.History = verdict.Pass, end.History
	return true
}

// accounts names what is missing where a process said nothing against the case and it has
// not passed.
func (f *folder) accounts() {
	starts, ends := f.count(wire.Start), f.count(wire.End)
	end, _ := f.record(wire.End)
	switch {
	case f.raw.TimedOut:
		f.r.Verdict = verdict.Timeout
		f.r.Message = "the case used up its time and did not end"
		if starts == 0 {
			f.r.Message = "the case did not begin: an initialiser of the package, or a func init, does not end"
		}
	case starts == 0 && ends == 0 && f.raw.Exit == 3:
		f.broken("the test process could not read its orders")
	case f.raw.Signal != "":
		f.broken("the test process was ended from outside (" + f.raw.Signal + ")")
	case starts == 1 && ends == 1 && !end.Passed:
		f.r.Verdict = verdict.Incomplete
		f.r.Message = goexit
	default:
		f.r.Verdict = verdict.Incomplete
		f.r.Message = "the process ended before the case did"
	}
}

func (f *folder) broken(message string) {
	f.r.Verdict = verdict.CheckerError
	f.r.Message = message
}

func (f *folder) count(kind wire.Kind) (n int) {
	for _, rec := range f.raw.Records {
		if rec.Kind == kind {
			n++
		}
	}
	return n
}

func (f *folder) record(kind wire.Kind) (wire.Record, bool) {
	i := slices.IndexFunc(f.raw.Records, func(r wire.Record) bool { return r.Kind == kind })
	if i < 0 {
		return wire.Record{}, false
	}
	rec := f.raw.Records[i]
	return rec, true
}

// take copies a record into the result.
func (f *folder) take(v verdict.Verdict, rec wire.Record) {
	f.r.Verdict, f.r.Message, f.r.Detail = v, rec.Message, rec.Detail
	f.r.History, f.r.Copy = rec.History, rec.Copy
}

func (f *folder) failure() bool {
	rec, ok := f.record(wire.Failure)
	if ok {
		f.take(verdict.WrongAnswer, rec)
		f.r.Goroutines = f.group(rec.Dump, nil)
	}
	return ok
}

// noMemory is what the runtimes of Go and of the race detector print when they reach a
// limit of memory or of address space.
var noMemory = []string{
	"runtime: out of memory", "runtime: cannot allocate memory", "too many address space collisions for -race mode",
	"ThreadSanitizer: out of memory", "ERROR: ThreadSanitizer failed to allocate",
}

func (f *folder) memory() bool {
	if rec, ok := f.record(wire.Memory); ok {
		f.take(verdict.OutOfMemory, rec)
		f.busiest(rec.Dump)
		return true
	}
	if slices.ContainsFunc(noMemory, func(words string) bool { return strings.Contains(f.raw.Stderr, words) }) {
		f.r.Verdict = verdict.OutOfMemory
		f.place(f.raw.Stderr, nil)
		return true
	}
	return false
}

func (f *folder) blocked() bool {
	for _, kind := range []wire.Kind{wire.Stuck, wire.Hung} {
		if rec, ok := f.record(kind); ok {
			f.take(verdict.Deadlock, rec)
			f.r.Goroutines = f.group(rec.Dump, goroutine.Goroutine.Blocked)
			f.first()
			if kind == wire.Hung {
				f.r.Verdict = verdict.Timeout
				f.r.Message = "a goroutine sleeps, or waits for something else, while it holds a lock that another one waits for"
			}
			f.keep(rec.Dump)
			return true
		}
	}
	if rec, ok := f.record(wire.Spinning); ok {
		f.take(verdict.Timeout, rec)
		f.r.Message = rec.Message + ", and " + nothingMore
		if rec.GoesOn {
			f.r.Message = rec.Message + ", and " + stillGoing
		}
		f.r.Goroutines = f.group(rec.Dump, func(g goroutine.Goroutine) bool { return !g.Blocked() })
		if len(f.r.Goroutines) == 0 { // in a bubble a loop around a sleep takes processor time as any other does
			f.r.Goroutines = f.group(rec.Dump, func(g goroutine.Goroutine) bool { return g.State == "sleep" })
		}
		f.first()
		f.keep(rec.Dump)
		return true
	}
	return false
}

// How the message of a case ends that has used up its processor time, or polls.
const (
	nothingMore = "in the end no call began or returned any more"
	stillGoing  = "calls still began and returned"
)

// Spins reports whether the case used its processor time, much or little, and nothing came of it.
func (r Result) Spins() bool {
	return r.Verdict == verdict.Timeout && strings.HasSuffix(r.Message, nothingMore)
}

// Slow reports whether the case was stopped while it still got on, so that it is too slow, or
// does too much, rather than stuck in a loop.
func (r Result) Slow() bool {
	return r.Verdict == verdict.Timeout && strings.HasSuffix(r.Message, stillGoing)
}

func (f *folder) leak() bool {
	rec, ok := f.record(wire.Leak)
	if !ok {
		return false
	}
	f.take(verdict.GoroutineLeak, rec)
	f.r.Goroutines = f.group(rec.Dump, nil)
	f.first()
	f.keep(rec.Dump)
	return true
}

// first makes the line of the first goroutine that has one the place to look at.
func (f *folder) first() {
	for _, g := range f.r.Goroutines {
		if g.At.Line > 0 {
			f.r.At = g.At
			return
		}
	}
}

func (f *folder) keep(dump string) {
	if f.r.Raw == "" {
		f.r.Raw = dump
	}
}

// place takes the line of the first goroutine that runs the learner's code.
func (f *folder) place(dump string, want func(goroutine.Goroutine) bool) {
	for _, g := range goroutine.Parse(dump) {
		if want != nil && !want(g) {
			continue
		}
		if frame, ok := f.innermost(g.Frames); ok {
			f.r.At = f.locate(frame)
			return
		}
	}
}

// busiest takes the line of the learner's at which most goroutines run. One that has only
// begun stands at the head of its function, and has done nothing yet: its line is taken if
// there is no other.
func (f *folder) busiest(dump string) {
	heads := map[Location]bool{}
	for _, at := range f.Decls {
		heads[Location{File: at.File, Line: at.Line}] = true
	}
	for _, lit := range f.Lits {
		if lit.End > lit.Start { // else all of it stands there
			heads[Location{File: lit.File, Line: lit.Start}] = true
		}
	}
	count := map[Location]int{}
	rank := func(at Location) int {
		if heads[Location{File: at.File, Line: at.Line}] {
			return 0
		}
		return count[at]
	}
	var most Location
	for _, g := range goroutine.Parse(dump) {
		frame, ok := f.innermost(g.Frames)
		if !ok || g.Blocked() {
			continue
		}
		at := f.locate(frame)
		count[at]++
		if most.Line == 0 || rank(at) > rank(most) {
			most = at
		}
	}
	if most.Line > 0 {
		f.r.At = most
	}
}

// maxOutput is how much is kept of what the learner's code printed, in bytes.
const maxOutput = 4 << 10

// clipOutput keeps the beginning of what the learner's code printed, without what
// package testing adds.
func clipOutput(s string) string {
	s = strings.TrimSuffix(s, "PASS\n")
	if i := strings.Index(s, "--- FAIL: TestCases"); i >= 0 {
		s = s[:i]
	}
	return printable.Clip(s, maxOutput)
}
