package explain

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Withheld explains how a hidden case ended to somebody who may not know its inputs yet.
// It copies what may be shown, rather than striking out what may not: a submission can put
// each input that it receives into whatever it prints, returns, or panics with. So only
// verdicts, places in the subject's own source and texts of the workbook remain.
func Withheld(c conform.Meta, r outcome.Result) Explanation {
	bare := outcome.Result{
		Lab: r.Lab, Case: r.Case, Verdict: r.Verdict, Points: r.Points, Max: r.Max,
		At: r.At, Race: r.Race, Passed: r.Passed, Runs: r.Runs, Message: safeMessage(r),
	}
	for _, g := range r.Goroutines {
		if _, known := waits[g.State]; !known {
			g.State = "running"
		}
		bare.Goroutines = append(bare.Goroutines, g)
	}
	e := Case(c, bare)
	e.Withheld = r.Verdict != verdict.Pass && r.Verdict != verdict.NotImplemented // there is nothing to leave out
	e.Again = ""                                                                  // it would replay inputs that the reader does not have
	switch r.Verdict {
	case verdict.WrongAnswer:
		e.What = "The rule of this case does not hold for your code."
	case verdict.Unstable:
		e.What = fmt.Sprintf("The case passed %d of %d runs.", r.Passed, r.Runs)
	case verdict.CheckerError:
		e.Facts = nil
		e.Next = Step{Do: "Tell your teacher: the case has to be graded again."}
	}
	return e
}

// safeMessage is the part of a result's message that no submission can put words into.
func safeMessage(r outcome.Result) string {
	switch {
	case r.Verdict.OwnMessage():
		return r.Message
	case r.Verdict == verdict.Panic:
		for _, a := range advice {
			if strings.Contains(r.Message, a.mark) {
				return a.mark
			}
		}
		return "its message is not shown for a hidden case"
	}
	return ""
}
