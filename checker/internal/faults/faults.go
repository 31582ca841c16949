// Package faults asks who tests the tests: the reference must pass every case, the
// stub must fail every one by name, and every seeded fault must be killed by its
// named case with its named verdict.
package faults

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Check is one thing to prove about a lab.
type Check struct {
	Lab  catalog.Lab
	Name string // "solution", "stub", "fault order-of-completion"
	run  func(ctx context.Context, kit *gotest.Kit) error
}

// Run proves it, or says what was seen instead. It blocks for a build and a run.
func (c Check) Run(ctx context.Context, kit *gotest.Kit) error { return c.run(ctx, kit) }

// Checks lists what has to be proved about a lab.
func Checks(lab catalog.Lab) []Check {
	checks := []Check{
		{lab, "solution", func(ctx context.Context, kit *gotest.Kit) error { return solution(ctx, kit, lab) }},
		{lab, "stub", func(ctx context.Context, kit *gotest.Kit) error { return stub(ctx, kit, lab) }},
	}
	for _, f := range lab.Faults {
		checks = append(checks, Check{lab, "fault " + f.Name, func(ctx context.Context, kit *gotest.Kit) error {
			return killed(ctx, kit, lab, f)
		}})
	}
	return checks
}

func solution(ctx context.Context, kit *gotest.Kit, lab catalog.Lab) error {
	s, err := subject.Solution(kit.Root, lab)
	if err != nil {
		return err
	}
	return every(ctx, kit, s, verdict.Pass)
}

func stub(ctx context.Context, kit *gotest.Kit, lab catalog.Lab) error {
	s, err := subject.Stub(kit.Root, lab)
	if err != nil {
		return err
	}
	return every(ctx, kit, s, verdict.NotImplemented)
}

// every runs all cases and wants the same verdict of each.
func every(ctx context.Context, kit *gotest.Kit, s subject.Subject, want verdict.Verdict) error {
	results, err := run(ctx, kit, s, s.Lab.Cases)
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

func killed(ctx context.Context, kit *gotest.Kit, lab catalog.Lab, f conform.Fault) error {
	c, err := lab.Case(f.KilledBy)
	if err != nil {
		return err
	}
	s, err := subject.Fault(kit.Root, lab, f)
	if err != nil {
		return err
	}
	results, err := run(ctx, kit, s, []conform.Meta{c})
	if err != nil {
		return err
	}
	switch r := results[0]; r.Verdict {
	case f.Verdict:
		return nil
	case verdict.Pass:
		return fmt.Errorf("survives case %s", f.KilledBy)
	default:
		return fmt.Errorf("case %s answers %s instead of %s: %s", f.KilledBy, r.Verdict, f.Verdict, r.Message)
	}
}

func run(ctx context.Context, kit *gotest.Kit, s subject.Subject, cases []conform.Meta) ([]outcome.Result, error) {
	j, err := judge.Judge(ctx, kit, judge.Order{Subject: s, Cases: cases, Seed: 1})
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
