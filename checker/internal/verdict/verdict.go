// Package verdict names every way a case can end and says what each of them means.
//
// The names are stable for ever: they stand in result files, in gradebooks and in
// the KilledBy column of every seeded fault.
package verdict

import "fmt"

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
	Timeout        Verdict = "timeout"         // running and not over in its time: a livelock, or too slow
	Panic          Verdict = "panic"           // the subject crashed the process
	OutOfMemory    Verdict = "out-of-memory"   // the heap passed its limit
	OutputFlood    Verdict = "output-flood"    // printed more than may be kept
	Incomplete     Verdict = "incomplete"      // the process ended before the case did
	Unstable       Verdict = "unstable"        // passed k of n runs
	CheckerError   Verdict = "checker-error"   // our fault
)

// row is all that is to be known of a verdict. Marks, colours, counts, exit codes, charts
// and the statuses of foreign formats are derived from it.
type row struct {
	verdict   Verdict
	title     string // as a learner reads it
	one, many string // behind a number: "1 data race", "2 data races"
	group     Group

	refused  bool // of a whole lab: no case was run
	ours     bool // the message of its results is the checker's own sentence
	fleeting bool // a limit or the machine may have had a part in it
}

// table has a row for each verdict, in the order in which reports count them.
var table = []row{
	{verdict: Pass, title: "pass", one: "passed", many: "passed", group: Passed},
	{verdict: WrongAnswer, title: "wrong answer", one: "wrong answer", many: "wrong answers", group: Wrong},
	{verdict: NotImplemented, title: "not implemented", one: "not implemented", many: "not implemented", group: NotBegun},
	{verdict: CompileError, title: "compile error", one: "compile error", many: "compile errors", group: NotBuilt, refused: true, ours: true, fleeting: true},
	{verdict: Forbidden, title: "forbidden construct", one: "forbidden construct", many: "forbidden constructs", group: NotBuilt, refused: true, ours: true},
	{verdict: DataRace, title: "data race", one: "data race", many: "data races", group: Concurrency},
	{verdict: GoroutineLeak, title: "goroutine leak", one: "goroutine leak", many: "goroutine leaks", group: Concurrency},
	{verdict: Deadlock, title: "deadlock", one: "deadlock", many: "deadlocks", group: Concurrency},
	{verdict: Timeout, title: "out of time", one: "out of time", many: "out of time", group: Concurrency, ours: true, fleeting: true},
	{verdict: Panic, title: "panic", one: "panic", many: "panics", group: Crashed},
	{verdict: OutOfMemory, title: "out of memory", one: "out of memory", many: "out of memory", group: Crashed, fleeting: true},
	{verdict: OutputFlood, title: "output flood", one: "output flood", many: "output floods", group: Crashed, fleeting: true},
	{verdict: Incomplete, title: "incomplete", one: "incomplete", many: "incomplete", group: Crashed, ours: true, fleeting: true},
	{verdict: Unstable, title: "unstable", one: "unstable", many: "unstable", group: Concurrency, fleeting: true},
	{verdict: CheckerError, title: "checker error", one: "not decided", many: "not decided", group: Undecided, fleeting: true},
}

// All lists every verdict, Pass first, in the order in which reports count them.
var All = verdicts()

func verdicts() []Verdict {
	all := make([]Verdict, len(table))
	for i, r := range table {
		all[i] = r.verdict
	}
	return all
}

// find is the row of a verdict.
func (v Verdict) find() (row, bool) {
	for _, r := range table {
		if r.verdict == v {
			return r, true
		}
	}
	return row{}, false
}

// Valid reports whether v is one of the verdicts above.
func (v Verdict) Valid() bool {
	_, ok := v.find()
	return ok
}

// Title is the verdict as a learner reads it.
func (v Verdict) Title() string {
	if r, ok := v.find(); ok {
		return r.title
	}
	return string(v)
}

// Count is n cases with this verdict in words: "2 data races".
func (v Verdict) Count(n int) string {
	r, ok := v.find()
	switch {
	case !ok:
		return fmt.Sprintf("%d %s", n, v)
	case n == 1:
		return fmt.Sprintf("%d %s", n, r.one)
	}
	return fmt.Sprintf("%d %s", n, r.many)
}

// Group is the kind of verdicts that v belongs to, "" if v is not valid.
func (v Verdict) Group() Group {
	r, _ := v.find()
	return r.group
}

// Standing is what v says about the subject. An invalid verdict counts as Undecided.
func (v Verdict) Standing() Standing {
	switch v.Group() {
	case Passed:
		return Sound
	case Undecided, "":
		return Unknown
	}
	return Faulty
}

// Refused reports whether v is the verdict on a lab's source as a whole: no case was run.
func (v Verdict) Refused() bool {
	r, _ := v.find()
	return r.refused
}

// Lasts reports whether v follows from the code alone, so that it may be shown again while
// that is the same. Where a limit or the machine may have had a part in it, it may not: a
// process that was killed, a case that took too long, a compiler that found the disk full.
func (v Verdict) Lasts() bool {
	r, ok := v.find()
	return ok && !r.fleeting
}

// OwnMessage reports whether the message of a result with this verdict is the checker's
// own sentence, which a submission cannot put words into.
func (v Verdict) OwnMessage() bool {
	r, _ := v.find()
	return r.ours
}
