// Package faults asks who tests the tests: the reference and every alternative to it
// must pass every case, the stub must fail every one by name, every seeded fault must be killed by its
// named case with its named verdict, and what does nothing must earn nothing.
package faults

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Check is one thing to prove about a lab.
type Check struct {
	Lab   catalog.Lab
	Name  string // "solution", "stub", "alternative one-owner", "fault order-of-completion", "trivial zeros"
	Fault string // the name of the fault that it is about, if it is about one

	source source // what is put to the suite; nil if nothing is
	wants  string // of a fault: who kills it, and how
	prove  func(ctx context.Context, kit *gotest.Kit, s subject.Subject) (outcome.Result, error)
}

// ID names it among the checks of all labs.
func (c Check) ID() string { return c.Lab.Dir + " " + c.Name }

// source reads a subject of the workbook at root.
type source func(root string) (subject.Subject, error)

// Subject is what is put to the suite. It has no files if nothing is.
func (c Check) Subject(root string) (subject.Subject, error) {
	if c.source == nil {
		return subject.Subject{Lab: c.Lab}, nil
	}
	return c.source(root)
}

// Run proves it, or says what was seen instead. It blocks for a build and a run. The result
// is what the case that is named in a fault said of it, last: it is the zero value where
// the case was not run, and for a check that is about no fault.
func (c Check) Run(ctx context.Context, kit *gotest.Kit) (r outcome.Result, err error) {
	s, err := c.Subject(kit.Root)
	if err != nil {
		return r, err
	}
	return c.prove(ctx, kit, s)
}

// proof is a check that has an answer and no result.
func proof(lab catalog.Lab, name string, from source, prove func(ctx context.Context, kit *gotest.Kit, s subject.Subject) error) Check {
	return Check{Lab: lab, Name: name, source: from, prove: func(ctx context.Context, kit *gotest.Kit, s subject.Subject) (outcome.Result, error) {
		return outcome.Result{}, prove(ctx, kit, s)
	}}
}

// Checks lists what has to be proved about a lab of the workbook at root.
func Checks(root string, lab catalog.Lab) ([]Check, error) {
	names, err := subject.Alternatives(root, lab)
	if err != nil {
		return nil, err
	}
	mistakes, err := seeded.All(root, lab)
	if err != nil {
		return nil, err
	}
	checks := []Check{
		proof(lab, "solution", solution(lab), every(verdict.Pass, true)),
		proof(lab, "stub", func(root string) (subject.Subject, error) { return subject.Stub(root, lab) }, every(verdict.NotImplemented, true)),
		proof(lab, "next steps", nil, func(ctx context.Context, kit *gotest.Kit, _ subject.Subject) error {
			return looked(ctx, kit.Root, lab, mistakes)
		}),
	}
	for _, name := range names {
		from := func(root string) (subject.Subject, error) { return subject.Alternative(root, lab, name) }
		checks = append(checks, proof(lab, "alternative "+name, from, every(verdict.Pass, false)))
	}
	for _, f := range mistakes {
		from := func(root string) (subject.Subject, error) { return subject.Fault(root, lab, f) }
		checks = append(checks, Check{Lab: lab, Name: "fault " + f.Name, Fault: f.Name, source: from,
			wants: f.KilledBy + " " + string(f.Verdict), prove: killed(f)})
	}
	more, err := trivials(root, lab)
	return append(checks, more...), err
}

// solution is the reference, as if the learner had written it.
func solution(lab catalog.Lab) source {
	return func(root string) (subject.Subject, error) {
		reference, err := subject.Solution(root, lab)
		if err != nil {
			return reference, err
		}
		return subject.Given(root, lab, reference.Files)
	}
}

// every runs all cases, in processes of their own if isolate is set, and wants the same
// verdict of each.
func every(want verdict.Verdict, isolate bool) func(ctx context.Context, kit *gotest.Kit, s subject.Subject) error {
	return func(ctx context.Context, kit *gotest.Kit, s subject.Subject) error {
		order := judge.Order{Subject: s, Cases: s.Lab.Cases, Seed: 1, Isolate: isolate}
		results, err := run(ctx, kit, order)
		if err != nil {
			return err
		}
		for _, r := range results {
			if r.Verdict != want {
				return fmt.Errorf("case %s: %s instead of %s: %s", r.Case, r.Verdict, want, r.Message)
			}
		}
		return nil
	}
}

// killed puts a fault to its case, and returns what that said last.
func killed(f seeded.Fault) func(ctx context.Context, kit *gotest.Kit, s subject.Subject) (outcome.Result, error) {
	return func(ctx context.Context, kit *gotest.Kit, s subject.Subject) (last outcome.Result, err error) {
		c, err := s.Lab.Case(f.KilledBy)
		if err != nil {
			return last, err
		}
		var seen []string
		for seed := range uint64(tries) {
			results, err := run(ctx, kit, judge.Order{Subject: s, Cases: []conform.Meta{c}, Seed: seed + 1})
			if err != nil {
				return last, err
			}
			if last = results[0]; last.Verdict == f.Verdict {
				return last, nil
			}
			seen = append(seen, answer(last))
		}
		return last, fmt.Errorf("case %s does not answer %s but %s", f.KilledBy, f.Verdict, strings.Join(seen, ", then "))
	}
}

// answer is what a case said of a fault.
func answer(r outcome.Result) string {
	if r.Verdict == verdict.Pass {
		return "passes: the suite has a hole there"
	}
	return fmt.Sprintf("%s (%s)", r.Verdict, r.Message)
}

// Budget is what a case may cost while a suite is proved: half of what a learner's may. Some
// faults and many mutants never end, and the dearest case of any reference takes 1.6 seconds.
var Budget = gotest.Budget{CPU: 5 * time.Second, Wall: 2 * time.Minute}

// tries is how often a fault may escape its verdict before that counts. A race that
// nearly every run shows may hide in one, and on a starved machine
// a leak may show as the wrong answer that follows from it. Solutions, alternatives and
// stubs get one try: what correct code fails once, it fails.
const tries = 5

func run(ctx context.Context, kit *gotest.Kit, order judge.Order) ([]outcome.Result, error) {
	j, err := judge.Judge(ctx, kit, order)
	switch {
	case err != nil:
		return nil, err
	case len(j.Violations) > 0:
		v := j.Violations[0]
		return nil, fmt.Errorf("the gate refuses %s:%d: %s", v.File, v.Line, v.Message)
	case j.Compiler != "":
		return nil, fmt.Errorf("it does not compile, which is no kill: %s", j.Compiler)
	}
	return j.Results, nil
}
