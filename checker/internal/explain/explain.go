// Package explain turns a verdict and the case it belongs to into the words a
// learner reads: what happened, where, which rule it broke and why Kubernetes
// needs that rule, and one next step.
//
// It does no I/O and knows nothing of colours or widths: the same result always
// gives the same words. Texts that come from the subject are shortened here. The package
// that prints them makes them harmless, since each medium is hurt by other things.
package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Explanation is all there is to say about one case, or about a whole lab that
// could not be run. Empty fields have nothing to say and are left out.
type Explanation struct {
	Lab     string          // "01-goroutines"; empty where a whole lab is meant
	Case    string          // empty where a whole lab is meant
	Verdict verdict.Verdict // how it ended
	Title   string          // the verdict in a learner's words
	What    string          // what happened, in a sentence or two
	Places  []Place         // where, the likeliest cause first
	More    int             // how many further places are not listed
	Facts   []Fact          // what the compiler says of no line of the learner's, what one of several runs was measured by, the checker's own trouble
	History []Event         // what the case did
	Output  string          // the beginning of what the learner's code printed
	Rule    string          // the invariant
	Stub    []string        // the sentences of the contract that it follows from, the likeliest to be broken first
	Why     string          // why Kubernetes needs it
	Lesson  string          // what this kind of verdict is, in two or three sentences
	Again   string          // the command that replays this run, where inputs are random
	Akin    []string        // other cases that failed, perhaps by the same cause
	Next    Step            // the one next step

	Withheld bool // of a hidden case: what went in and came out is left out
}

// Place is a line of the learner's code and what happened there.
type Place struct {
	Label string           // "write", "8 goroutines wait to send on a channel"
	At    outcome.Location // zero where no line of the learner's is known
	Code  string           // what stands on that line, if Quote was asked
	Notes []string         // who started it, what to write instead
}

// Quote has each place show the code that stands there. line returns line n of a file, "" if
// it is not to be had.
func (e *Explanation) Quote(line func(file string, n int) string) {
	for i, p := range e.Places {
		e.Places[i].Code = clip(strings.TrimSpace(line(p.At.File, p.At.Line)))
	}
}

// Fact is a named value.
type Fact struct{ Name, Text string }

// Step is the one thing to do next, and where.
type Step struct {
	At outcome.Location // zero where it is not about a line
	Do string
}

// Case explains how one case ended.
func Case(c conform.Meta, r outcome.Result) Explanation {
	e := Explanation{
		Lab: r.Lab, Case: c.Name, Verdict: r.Verdict, Title: Title(r),
		Rule: c.Rule, Stub: c.Contract, Why: c.Why, Output: clipLines(r.Output, maxOutputLines, maxText),
		Next: Step{At: r.At},
	}
	e.History = history(r.History, r.Message)
	if explain, ok := explainers[r.Verdict]; ok {
		explain(&e, c, r)
	} else {
		e.What = "The case ended in a way that this checker has no words for: " + clip(r.Message)
	}
	e.Stub = quotes(e.Stub, failure(e, r))
	return e
}

// Title is how a case ended, in two or three words.
func Title(r outcome.Result) string {
	switch {
	case r.Slow():
		return "too slow"
	case r.Spins():
		return "livelock"
	}
	return r.Verdict.Title()
}

// Command is how the lab is named on a command line: "1" for "01-goroutines".
func Command(lab string) string {
	digits, _, _ := strings.Cut(lab, "-")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return lab
	}
	return strconv.Itoa(n)
}

// Real is the lab of a result that is of no lab, but of a run against a real server.
const Real = "real"

// again is the command that replays a run of a case.
func again(r outcome.Result) string {
	if r.Lab == Real {
		return fmt.Sprintf("checker real --case %s --seed %d", r.Case, r.Seed)
	}
	return fmt.Sprintf("checker run %s --case %s --seed %d", Command(r.Lab), r.Case, r.Seed)
}
