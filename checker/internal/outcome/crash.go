package outcome

import (
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// The text of kit.NotImplemented.
const (
	todoPrefix = "controllerbook: "
	todoSuffix = " is not implemented yet"
)

func (f *folder) notImplemented() bool {
	text := f.raw.Stderr
	if rec, ok := f.record(wire.Crash); ok {
		text = rec.Message + "\n" + text
	}
	_, rest, ok := strings.Cut(text, todoPrefix)
	if !ok {
		return false
	}
	fn, _, ok := strings.Cut(rest, todoSuffix)
	if !ok || strings.Contains(fn, "\n") {
		return false
	}
	f.r.Verdict = verdict.NotImplemented
	f.r.Message = fn
	if at, ok := f.Decls[fn]; ok {
		f.r.At = at
	}
	if len(f.Paths) > 1 { // the name alone does not say which part it is of
		f.place(f.crashStack(), func(g goroutine.Goroutine) bool { return g.State == "running" })
	}
	return true
}

// crash recognises a panic of any goroutine and the runtime's own fatal errors.
func (f *folder) crash() bool {
	head, ok := panicLine(f.raw.Stderr)
	rec, own := f.record(wire.Crash)
	if !ok && !own {
		return false
	}
	stack := f.crashStack()
	if own { // the suite's own goroutine: the record has the history, too
		f.take(verdict.Panic, rec)
	} else {
		f.r.Verdict, f.r.Message = verdict.Panic, head
		f.r.History = conform.Happened(f.raw.Records)
	}
	if strings.HasPrefix(head, "all goroutines are asleep") {
		f.r.Verdict = verdict.Deadlock
		f.r.Goroutines = f.group(f.raw.Stderr, nil)
	}
	if strings.HasPrefix(head, "concurrent map") {
		f.r.Verdict = verdict.DataRace
	}
	if strings.HasPrefix(head, "test executed panic(nil) or runtime.Goexit") {
		f.r.Verdict, f.r.Message = verdict.Incomplete, goexit
		return true
	}
	f.place(stack, func(g goroutine.Goroutine) bool { return g.State == "running" })
	f.r.Detail = f.closers()
	if _, touched := touching(stack, f.pkgs()); !touched && f.r.Verdict == verdict.Panic && !f.named(stack) {
		f.suitePanicked(rec)
	}
	return true
}

// suitePanicked judges a panic on a stack without code of the subject. If the suite had called
// the subject before and then stumbled over a nil or a missing element, it stumbled over
// what the subject had returned: with the reference it does not. Any other panic is the
// suite's own fault.
func (f *folder) suitePanicked(rec wire.Record) {
	if len(rec.History) == 0 || !slices.ContainsFunc(stumbles, func(s string) bool { return strings.HasPrefix(rec.Message, s) }) {
		f.broken("the suite itself panicked: " + f.r.Message)
		return
	}
	f.r.Verdict = verdict.WrongAnswer
	f.r.Message = "the test could not go on with what your code returned (" + rec.Message + ")"
	f.r.At = f.suspect()
}

// stumbles are the beginnings of the panics that a value of the wrong shape causes.
var stumbles = []string{
	"runtime error: invalid memory address", "runtime error: index out of range", "runtime error: slice bounds out of range",
	"interface conversion:",
}

// crashStack is what is known of the stacks at a crash. The record of a crash has the whole
// stack of the suite's own goroutine.
func (f *folder) crashStack() string {
	if rec, own := f.record(wire.Crash); own {
		return "goroutine 1 [running]:\n" + afterLine(rec.Dump) + "\n\n" + f.raw.Stderr
	}
	return f.raw.Stderr
}

// named reports whether a stack names a function of the subject at all.
func (f *folder) named(stack string) bool {
	return slices.ContainsFunc(f.pkgs(), func(pkg string) bool { return strings.Contains(stack, pkg+".") })
}

// touching finds the first goroutine with code of the packages on it or at its origin.
func touching(dump string, pkgs []string) (goroutine.Goroutine, bool) {
	for _, g := range goroutine.Parse(dump) {
		if g.Touches(pkgs...) {
			return g, true
		}
	}
	return goroutine.Goroutine{}, false
}

// goexit is what Incomplete says of a case whose own goroutine was ended.
const goexit = "the goroutine of the case ended before the case did: runtime.Goexit"

// panicLine finds the message with which the runtime ended the process.
func panicLine(stderr string) (string, bool) {
	for line := range strings.SplitSeq(stderr, "\n") {
		for _, mark := range []string{"panic: ", "fatal error: "} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				rest = strings.TrimSuffix(rest, " [recovered, repanicked]")
				return printable.Clip(strings.TrimSuffix(rest, " [recovered]"), wire.MaxMessage), true
			}
		}
	}
	return "", false
}

func afterLine(s string) string {
	_, rest, _ := strings.Cut(s, "\n")
	return rest
}
