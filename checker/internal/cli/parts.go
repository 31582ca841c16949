package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// withReference puts the reference in place of the parts that are named: labs
// as run takes them, or "all".
func withReference(s subject.Subject, names []string) (subject.Subject, error) {
	if len(names) == 0 {
		return s, nil
	}
	if catalog.Handout {
		return s, usageError{errNoSolutions}
	}
	if len(s.Lab.Parts) == 0 {
		return s, usageError{fmt.Errorf("--reference is for a lab made of your other labs, and %s stands alone", s.Lab.Dir)}
	}
	var dirs []string
	for _, name := range names {
		if name == "all" {
			dirs = append(dirs, s.Lab.Parts...)
			continue
		}
		part, err := catalog.Find(strings.TrimSpace(name))
		if err != nil {
			return s, err
		}
		if !slices.Contains(s.Lab.Parts, part.Dir) {
			return s, usageError{fmt.Errorf("%s is no part of %s: it is made of %s", part.Dir, s.Lab.Dir, strings.Join(s.Lab.Parts, ", "))}
		}
		dirs = append(dirs, part.Dir)
	}
	return s.WithReference(dirs...), nil
}

// blame finds out which part of a lab is at fault for the failure to begin with: it returns
// the step to look there, or none. It calls trying before it runs the case again.
func blame(ctx context.Context, kit *gotest.Kit, order judge.Order, j judge.Judgement, trying func(what string)) (explain.Step, error) {
	i := explain.First(order.Cases, j.Results)
	if i < 0 || len(order.Subject.Parts) == 0 {
		return explain.Step{}, nil
	}
	failed := j.Results[i]
	switch {
	case failed.Verdict.Refused(), failed.Verdict.Standing() == verdict.Unknown:
		return explain.Step{}, nil // it says itself where
	case failed.Verdict.Group() == verdict.NotBegun:
		if part := partOf(order.Subject, failed.At.File); part != nil {
			return explain.Step{At: failed.At, Do: unbuilt(part.Lab, judging(order.Subject.Lab))}, nil
		}
		return explain.Step{}, nil
	}
	if catalog.Handout {
		return explain.Step{}, nil
	}
	trying("Which of your labs is it? Trying the reference in place of each …")
	guilty, err := judge.Blame(ctx, kit, order.Subject, caseOf(order.Cases, failed.Case), order.Seed)
	if err != nil || len(guilty) == 0 {
		return explain.Step{}, err
	}
	return explain.Step{Do: fmt.Sprintf("With the reference of %s in place of yours, %s passes: look in labs/%s.",
		strings.Join(guilty, " and "), failed.Case, strings.Join(guilty, " and labs/"))}, nil
}

// unbuilt is what to do about a part that is not written yet; command is what was called.
func unbuilt(part catalog.Lab, command string) string {
	s := fmt.Sprintf("This part is still to be built: make lab-%d.", part.Number)
	if catalog.Handout {
		return s
	}
	return s + fmt.Sprintf(" To go on without it: %s --reference %d.", command, part.Number)
}

// judging is the command that judges a lab.
func judging(lab catalog.Lab) string {
	if lab.Bridge != lab.PinsDir() { // a run against a real server
		return "checker real"
	}
	return fmt.Sprintf("checker run %d", lab.Number)
}

// partOf is the part that a file belongs to.
func partOf(s subject.Subject, file string) *subject.Subject {
	for _, part := range s.Parts {
		if strings.HasPrefix(file, part.Path+"/") {
			return &part
		}
	}
	return nil
}

func caseOf(cases []conform.Meta, name string) conform.Meta {
	return cases[slices.IndexFunc(cases, func(c conform.Meta) bool { return c.Name == name })]
}
