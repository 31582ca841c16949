// Package verdict names every way a case can end.
//
// The names are stable for ever: they stand in result files, in gradebooks and in
// the KilledBy column of every seeded fault.
package verdict

// Verdict is how one case ended.
type Verdict string

// The verdicts. Exactly one of them, Pass, earns points; CheckerError alone says
// nothing about the submission and never costs any.
const (
	Pass           Verdict = "pass"
	WrongAnswer    Verdict = "wrong-answer"    // a rule was broken: the history shows where
	NotImplemented Verdict = "not-implemented" // the stub's kit.TODO was reached
	CompileError   Verdict = "compile-error"   // the subject does not build
	Forbidden      Verdict = "forbidden"       // the gate refused the source before it was compiled
	DataRace       Verdict = "data-race"       // two unordered accesses, one a write
	GoroutineLeak  Verdict = "goroutine-leak"  // a goroutine of the subject is stuck after the call it served
	Deadlock       Verdict = "deadlock"        // everything is blocked and nothing can wake it
	Timeout        Verdict = "timeout"         // running, but getting nowhere: livelock
	Panic          Verdict = "panic"           // the subject crashed the process
	OutOfMemory    Verdict = "out-of-memory"   // the heap passed its limit
	OutputFlood    Verdict = "output-flood"    // printed more than may be kept
	Incomplete     Verdict = "incomplete"      // the process ended before the case did
	Unstable       Verdict = "unstable"        // passed k of n runs
	CheckerError   Verdict = "checker-error"   // our fault
)

// All lists every verdict, Pass first, in the order in which reports count them.
var All = []Verdict{
	Pass, WrongAnswer, NotImplemented, CompileError, Forbidden, DataRace, GoroutineLeak, Deadlock,
	Timeout, Panic, OutOfMemory, OutputFlood, Incomplete, Unstable, CheckerError,
}

var titles = map[Verdict]string{
	Pass:           "pass",
	WrongAnswer:    "wrong answer",
	NotImplemented: "not implemented",
	CompileError:   "compile error",
	Forbidden:      "forbidden construct",
	DataRace:       "data race",
	GoroutineLeak:  "goroutine leak",
	Deadlock:       "deadlock",
	Timeout:        "livelock",
	Panic:          "panic",
	OutOfMemory:    "out of memory",
	OutputFlood:    "output flood",
	Incomplete:     "incomplete",
	Unstable:       "unstable",
	CheckerError:   "checker error",
}

// Title is the verdict as a learner reads it.
func (v Verdict) Title() string {
	if t, ok := titles[v]; ok {
		return t
	}
	return string(v)
}

// Valid reports whether v is one of the verdicts above.
func (v Verdict) Valid() bool {
	_, ok := titles[v]
	return ok
}
