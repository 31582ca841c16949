package audience

import (
	"iter"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/timeline"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Book is what the catalog says of each lab, by the lab's directory.
type Book map[string]conform.Lab

// CaseCount is how many cases a lab has.
func (b Book) CaseCount(lab string) int { return len(b[lab].Cases) }

// meta finds what the catalog says of a case. A case that it no longer has keeps its
// name and points.
func (b Book) meta(lab string, r outcome.Result) conform.Meta {
	for _, m := range b[lab].Cases {
		if m.Name == r.Case {
			return m
		}
	}
	return conform.Meta{Name: r.Case, Points: r.Max}
}

// Grade is one student's result for one lab, as far as its reader may see it.
type Grade struct {
	To        Audience
	Student   roster.Student
	Lab       string // "01-goroutines"
	Title     string
	Status    result.Status
	Standing  string // why there are no cases, in a sentence; "" where there are
	Problem   string // the reason alone; "" where the reader may not see it
	Points    int    // after lateness
	Earned    int    // before it
	Max       int
	Undecided int          // of Max: nobody can know them yet, through no fault of the student
	Late      *result.Late // nil where it was in time
	Isolation string
	Seed      uint64
	Toolchain result.Toolchain
	Took      time.Duration        // grading
	CasesTook time.Duration        // all cases together
	Refused   *explain.Explanation // why no case was run, or nil
	Cases     []Case
}

// Case is one case of a Grade.
type Case struct {
	Meta         conform.Meta // only name and points where the catalog no longer has the case
	Verdict      verdict.Verdict
	Points, Max  int
	Passed, Runs int
	At           outcome.Location
	Took         time.Duration // 0 where it could tell an input of a hidden case

	to     Audience
	result outcome.Result
}

// Reader makes of results what one audience may see of them.
type Reader struct {
	To   Audience
	Book Book
}

// Grade makes a grade fit for the reader.
func (r Reader) Grade(g result.Grade) Grade {
	shown := Grade{
		To: r.To, Student: g.Student, Lab: g.Lab, Title: g.Title, Status: g.Status, Standing: standing(g, r.To), Problem: problem(g, r.To),
		Points: g.Points, Earned: g.Points, Max: g.Max, Late: g.Late,
		Isolation: g.Isolation, Seed: g.Seed, Toolchain: g.Toolchain,
		Took: time.Duration(g.TookNS), CasesTook: result.Took(g.Cases), Refused: refusal(g),
	}
	if g.Late != nil {
		shown.Earned = g.Late.Earned
	}
	if g.Status == result.Failed {
		shown.Undecided = g.Max
	}
	for _, c := range g.Cases {
		if c.Verdict == verdict.CheckerError {
			shown.Undecided += c.Max
		}
		shown.Cases = append(shown.Cases, r.visible(r.Book.meta(g.Lab, c), c))
	}
	return shown
}

// Grades makes a sequence of grades fit for the reader.
func (r Reader) Grades(grades result.Grades) iter.Seq2[Grade, error] {
	return func(yield func(Grade, error) bool) {
		for g, err := range grades {
			if err != nil {
				yield(Grade{}, err)
				return
			}
			if !yield(r.Grade(g), nil) {
				return
			}
		}
	}
}

// visible keeps what the reader may see of a case. Time can carry an input out of a
// hidden case like any output.
func (r Reader) visible(meta conform.Meta, c outcome.Result) Case {
	v := Case{
		Meta: meta, Verdict: c.Verdict, Points: c.Points, Max: c.Max, Passed: c.Passed, Runs: c.Runs,
		At: c.At, Took: c.Took, to: r.To, result: c,
	}
	if r.To == ForStudent && !meta.Public {
		v.Took = 0
	}
	return v
}

// Explain puts a case into the words that the reader may see.
func (c Case) Explain() explain.Explanation {
	if c.hidden() {
		return explain.Withheld(c.Meta, c.result)
	}
	return explain.Case(c.Meta, c.result)
}

// Chart draws the last keep events of a case's history, or none where the reader may not see it.
func (c Case) Chart(keep int) timeline.Chart {
	if c.hidden() {
		return timeline.Chart{}
	}
	return timeline.New(c.result.History, keep)
}

// Waits says which goroutines were left waiting, and for what. Those of a wrong answer were only
// waiting at the time: they may have been right to, and are places like others.
func (c Case) Waits() []explain.Wait {
	if c.hidden() || c.result.Verdict == verdict.WrongAnswer {
		return nil
	}
	return explain.Waits(c.result.Goroutines)
}

// hidden reports whether the reader may not see what the case put to the code.
func (c Case) hidden() bool { return c.to == ForStudent && !c.Meta.Public }

// Withheld is the sentence that stands in the place of what a reader may not see yet.
const Withheld = "This case is hidden: what it puts to your code, and what your code did with it, is not shown."

// refusal explains why a lab's cases were not run, if so.
func refusal(g result.Grade) *explain.Explanation {
	var e explain.Explanation
	switch {
	case len(g.Violations) > 0:
		e = explain.Forbidden("", g.Violations)
	case g.Compiler != "":
		e = explain.Compile(g.Compiler)
	default:
		return nil
	}
	return &e
}
