package explain

import (
	"cmp"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// basic has the verdicts of failures in the order in which they are worked on. What ends the
// process or makes its memory unreliable comes first, because any other failure may follow
// from it. A leak follows from the rest. What is not written yet says nothing about what is.
var basic = []verdict.Verdict{
	verdict.CompileError, verdict.Forbidden,
	verdict.Panic, verdict.Incomplete, verdict.OutOfMemory, verdict.OutputFlood,
	verdict.DataRace, verdict.WrongAnswer, verdict.Deadlock, verdict.Timeout, verdict.GoroutineLeak, verdict.Unstable,
	verdict.NotImplemented, verdict.CheckerError,
}

// First is the index of the failure to begin with, -1 if every case passed. Each result is
// that of the case at its index. What is written comes before what is not, a public case
// before a hidden one, since it is about more basic things, then the verdict decides, and
// then the order of the lab.
func First(cases []conform.Meta, results []outcome.Result) int {
	var failed []int
	for i, r := range results {
		if r.Verdict != verdict.Pass {
			failed = append(failed, i)
		}
	}
	if len(failed) == 0 {
		return -1
	}
	return slices.MinFunc(failed, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(silence(results[a]), silence(results[b])),
			first(cases[a].Public, cases[b].Public),
			cmp.Compare(place(results[a]), place(results[b])),
		)
	})
}

// place is that of a failure among the basic ones. A race is worked on early because any line of
// the learner's may have read half a value. One of which the learner's code makes neither access, as
// of callers with an object that was handed out twice, spoils nothing there and names no line, so
// a wrong answer says more: it has the place of a deadlock.
func place(r outcome.Result) int {
	ended := r.Verdict
	if ended == verdict.DataRace && len(r.Race) > 0 && !slices.ContainsFunc(r.Race, maybeTheirs) {
		ended = verdict.Deadlock
	}
	return slices.Index(basic, ended)
}

// maybeTheirs reports whether the learner's code may make an access.
func maybeTheirs(a outcome.Access) bool {
	return a.Unseen || a.At.Line > 0 && a.Within != outcome.InCase
}

// first puts what is so before what is not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// silence is 0 for a failure that says something about code which is there, 1 where nothing is
// there, and 2 for a failure of the checker's own.
func silence(r outcome.Result) int {
	switch {
	case r.Verdict.Standing() == verdict.Unknown:
		return 2
	case r.Verdict == verdict.NotImplemented:
		return 1
	}
	return 0
}

// Akin names the failures that may have the same cause as the one at index i: they are about
// the same function, are looked for in the same, or happened at the same line.
func Akin(cases []conform.Meta, results []outcome.Result, i int) []string {
	tells := func(r outcome.Result) bool { return r.Verdict != verdict.Pass && silence(r) == 0 }
	var names []string
	for j, r := range results {
		if j != i && tells(r) && tells(results[i]) && akin(cases[i], cases[j], results[i], r) {
			names = append(names, cases[j].Name)
		}
	}
	return names
}

func akin(a, b conform.Meta, x, y outcome.Result) bool {
	switch {
	case a.Func == b.Func:
		return true
	case x.Verdict == y.Verdict && x.Verdict != verdict.WrongAnswer && x.At.Line > 0 && x.At == y.At:
		return true
	}
	return slices.ContainsFunc(a.Places(), func(place string) bool { return slices.Contains(b.Places(), place) })
}
