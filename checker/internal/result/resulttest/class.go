// Package resulttest makes results for tests: a class, a submission with most kinds of
// failure, and results whose every text is hostile.
package resulttest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// A class made up from the real catalog: students of different skill, cases of different
// difficulty, each failure with the traces that its verdict leaves. The same seed makes
// the same class.

var (
	given  = []string{"Ada", "Bilal", "Chiara", "Dmitri", "Eun-ji", "Fatima", "Goran", "Hana", "Ivo", "Jūratė", "Kwame", "Leïla", "Milan", "Noor", "Oluwaseun", "Priya", "Quirin", "Rosa", "Søren", "Thảo"}
	family = []string{"Adeyemi", "Bergström", "Castillo", "Đorđević", "Ekwueme", "Fischer", "García Márquez", "Horváth", "Ibrahim", "Jansen", "Kim", "López", "Müller", "Nakamura", "O’Brien", "Petrov", "Quist", "Rossi", "Schmidt-Weiß", "Tran"}
)

// Class is the grades of a class.
type Class struct{ Grades []result.Grade }

// All is the grades, ordered by student and then by lab.
func (c *Class) All() result.Grades {
	sorted := slices.SortedFunc(slices.Values(c.Grades), func(a, b result.Grade) int {
		return cmp.Or(cmp.Compare(a.Student.ID, b.Student.ID), cmp.Compare(a.Lab, b.Lab))
	})
	return func(yield func(result.Grade, error) bool) {
		for _, g := range sorted {
			if !yield(g, nil) {
				return
			}
		}
	}
}

// Book is the book of the real catalog.
func Book() audience.Book {
	b := audience.Book{}
	for _, l := range catalog.Labs() {
		b[l.Dir] = l.Lab
	}
	return b
}

// NewClass makes a class of so many students, graded in the first labs of the catalog.
func NewClass(seed uint64, students, labs int) *Class {
	rng := rand.New(rand.NewPCG(seed, 1))
	class := &Class{}
	for i := range students {
		s := roster.Student{
			ID:    fmt.Sprintf("s%03d", 100+i),
			Name:  given[i%len(given)] + " " + family[(i*7+i/20)%len(family)],
			Group: string(rune('A' + i%4)),
		}
		skill := 0.6 + 0.5*rng.Float64()
		for n, lab := range catalog.Labs()[:labs] {
			class.Grades = append(class.Grades, NewGrade(rng, s, lab.Lab, skill-0.03*float64(n)))
		}
	}
	return class
}

// madeWith is the toolchain of every grade.
var madeWith = result.Toolchain{Go: "go1.26.8", OS: "linux", Arch: "amd64"}

// NewGrade makes the grade of a student whose cases pass with about this probability.
func NewGrade(rng *rand.Rand, s roster.Student, lab conform.Lab, skill float64) result.Grade {
	g := result.Grade{
		Schema: result.GradeSchema, Key: fmt.Sprintf("%016x", rng.Uint64()), Student: s, Lab: lab.Dir, Title: lab.Title, Status: result.Graded,
		Max: points(lab), Isolation: "ns", Seed: 7, Toolchain: madeWith,
	}
	switch p := rng.Float64(); {
	case p > 0.97:
		g.Status, g.Problem = result.Rejected, "gather.go is a directory."
		return g
	case p > 0.96:
		g.Status, g.Problem = result.Failed, "the machine ran out of disk."
		return g
	case p > 0.98-0.25*(1-skill):
		g.Status = result.Missing
		return g
	case p < 0.02:
		refuse(&g, lab, verdict.CompileError)
		g.Compiler = "labs/" + lab.Dir + "/" + lab.Files[0] + ":41:9: undefined: reslts\nlabs/" + lab.Dir + "/" + lab.Files[0] + ":52:2: declared and not used: err\n"
		return g
	case p < 0.04:
		refuse(&g, lab, verdict.Forbidden)
		g.Violations = []gate.Violation{{File: "labs/" + lab.Dir + "/" + lab.Files[0], Line: 5, Col: 2, Kind: "import", Message: `The import of "os" is not allowed in this lab.`, Help: "Take it out."}}
		return g
	case p < 0.06:
		refuse(&g, lab, verdict.NotImplemented)
		return g
	}
	for i, c := range lab.Cases {
		r := resultOf(rng, lab, c, skill-0.35*hard(i))
		g.Points += r.Points
		g.Cases = append(g.Cases, r)
	}
	g.TookNS = int64(result.Took(g.Cases))
	if rng.Float64() < 0.08 {
		deadline := time.Date(2026, 3, 6, 22, 59, 0, 0, time.UTC)
		g.Late = &result.Late{Submitted: deadline.Add(time.Duration(rng.IntN(40)+1) * time.Hour), Deadline: deadline, Earned: g.Points, Percent: 20}
		g.Points -= g.Points * 20 / 100
	}
	return g
}

// points is what a lab is worth.
func points(lab conform.Lab) int {
	sum := 0
	for _, c := range lab.Cases {
		sum += c.Points
	}
	return sum
}

// hard says how much of a case is beyond a beginner: some are for nobody, some for all.
func hard(i int) float64 { return float64((i*37+11)%10) / 10 }

// refuse gives a grade a case with one and the same verdict for each of the lab's.
func refuse(g *result.Grade, lab conform.Lab, v verdict.Verdict) {
	for _, c := range lab.Cases {
		g.Cases = append(g.Cases, outcome.Result{Lab: lab.Dir, Case: c.Name, Verdict: v, Max: c.Points})
	}
}

func resultOf(rng *rand.Rand, lab conform.Lab, c conform.Meta, chance float64) outcome.Result {
	r := outcome.Result{
		Lab: lab.Dir, Case: c.Name, Max: c.Points, Verdict: verdict.Pass, Points: c.Points, Seed: 7,
		Took: time.Duration(20+rng.IntN(400)) * time.Millisecond,
	}
	if rng.Float64() < chance {
		return r
	}
	ways := []verdict.Verdict{
		verdict.WrongAnswer, verdict.WrongAnswer, verdict.WrongAnswer, verdict.DataRace, verdict.DataRace, verdict.GoroutineLeak,
		verdict.Deadlock, verdict.Panic, verdict.NotImplemented, verdict.Timeout,
	}
	fail(&r, ways[rng.IntN(len(ways))], lab, c)
	if rng.Float64() < 0.02 {
		fail(&r, verdict.Unstable, lab, c)
	}
	if rng.Float64() < 0.004 {
		r = outcome.Result{Lab: lab.Dir, Case: c.Name, Max: c.Points, Verdict: verdict.CheckerError, Message: "the test process was ended from outside (killed)"}
	}
	return r
}

// fail gives a result what a verdict comes with.
func fail(r *outcome.Result, v verdict.Verdict, lab conform.Lab, c conform.Meta) {
	at := func(line int) outcome.Location {
		return outcome.Location{File: "labs/" + lab.Dir + "/" + lab.Files[0], Line: line, Func: c.Func}
	}
	r.Verdict, r.Points, r.At = v, 0, at(42)
	switch v {
	case verdict.DataRace:
		r.Race = []outcome.Access{{Op: "read", At: at(61), Started: at(54)}, {Op: "write", At: at(80), Main: true}}
	case verdict.GoroutineLeak:
		r.Goroutines = []outcome.Goroutine{{State: "chan send", At: at(37), Started: at(31), Count: 4}}
	case verdict.Deadlock:
		r.Goroutines = []outcome.Goroutine{{State: "sync.Mutex.Lock", At: at(33), Started: at(50), Count: 2}, {State: "sync.WaitGroup.Wait", At: at(44), Count: 1}}
	case verdict.Timeout:
		r.Message = "the case used 10s of processor time, and in the end no call began or returned any more"
		r.Goroutines = []outcome.Goroutine{{State: "running", At: at(71), Count: 1}}
	case verdict.Panic:
		r.Message = "runtime error: index out of range [5] with length 3"
	case verdict.NotImplemented:
		r.Message = c.Func
	case verdict.Unstable:
		r.Passed, r.Runs, r.Message = 3, 5, "what came back is not what was asked for"
	default:
		r.Message = "what came back is not in the order of what was asked for"
		r.Output = "got task 2\ngot task 1\n"
		r.History = []wire.Event{
			{Who: "test", What: c.Func + "(4 tasks)", Open: true},
			{Who: "task 2", At: time.Second, What: "ended", Took: time.Second},
			{Who: "task 1", At: 2 * time.Second, What: "ended", Result: "nil", Took: 2 * time.Second},
			{Who: "test", At: 2 * time.Second, What: "the order is wrong", Broke: true},
		}
	}
}
