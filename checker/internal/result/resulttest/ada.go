package resulttest

import (
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Small is a lab of four cases, so that golden files are short and stay as they are when
// a lab finds better words.
var Small = conform.Lab{
	Dir: "01-example", Title: "Example", Files: []string{"gather.go"},
	Cases: []conform.Meta{
		{Name: "keeps-order", Points: 5, Func: "Gather", Rule: "Results stand in the order of the tasks.", Why: "Who asks ten nodes must know which answered what.", Hint: []string{"What is the index of a result?"}, Public: true},
		{Name: "waits-for-all", Points: 3, Func: "Gather", Rule: "Gather returns when all tasks have.", Why: "A leader must stop before the next begins.", Hint: []string{"Who calls Done?", "defer it."}},
		{Name: "no-race", Points: 8, Func: "Gather", Rule: "Nothing is raced for.", Why: "What works today fails tomorrow."},
		{Name: "no-tasks", Points: 4, Func: "Gather", Rule: "Without tasks Gather returns at once.", Why: "An empty list is the usual case."},
	},
}

// SmallBook is the book of the Small lab alone.
func SmallBook() audience.Book { return audience.Book{Small.Dir: Small} }

// Ada is a submission with a failure of most kinds.
func Ada() result.Grade {
	g := result.Grade{
		Schema: result.GradeSchema, Key: "k", Student: roster.Student{ID: "s100", Name: "Ada Adeyemi", Group: "A"}, Lab: Small.Dir, Title: Small.Title, Status: result.Graded,
		Max: points(Small), Isolation: "ns", Seed: 7, Toolchain: madeWith, TookNS: int64(2 * time.Second),
	}
	for i, v := range []verdict.Verdict{verdict.WrongAnswer, verdict.Panic, verdict.DataRace, verdict.Pass} {
		c := Small.Cases[i]
		r := outcome.Result{Lab: Small.Dir, Case: c.Name, Max: c.Points, Verdict: v, Points: c.Points, Seed: 7, Took: 250 * time.Millisecond}
		if v != verdict.Pass {
			fail(&r, v, Small, c)
		}
		g.Points += r.Points
		g.Cases = append(g.Cases, r)
	}
	return g
}

// With is Ada with a change.
func With(change func(*result.Grade)) result.Grade {
	g := Ada()
	change(&g)
	return g
}

// Broken is a submission on which the grader failed.
func Broken() result.Grade {
	return With(func(g *result.Grade) {
		g.Status, g.Problem, g.Points, g.Cases = result.Failed, "the disk is full", 0, nil
	})
}

// Refused is a submission that does not compile.
func Refused() result.Grade {
	return With(func(g *result.Grade) {
		g.Points, g.Cases = 0, nil
		refuse(g, Small, verdict.CompileError)
		g.Compiler = "labs/01-example/gather.go:41:9: undefined: reslts\n"
	})
}
