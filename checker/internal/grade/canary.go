package grade

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/report"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// every is after how many graded submissions of a lab its canaries sing again.
const every = 50

// canaries are the reference, which must pass, and the stub, which must fail, of each
// lab that is graded: before its first submission, after each fifty, and at the end. A
// grader that says otherwise of them is not believed, and what it graded since they
// last sang is thrown away.
type canaries struct {
	g *grader

	mu   sync.Mutex // guards labs; held while canaries sing, so that nobody grades meanwhile
	labs map[string]*cage
}

// cage is what is known of one lab.
type cage struct {
	lab   catalog.Lab
	since []string // result files since the canaries last sang
	sung  bool
}

func newCanaries(g *grader) *canaries { return &canaries{g: g, labs: map[string]*cage{}} }

// before is called before a submission is graded. It blocks while canaries sing.
func (c *canaries) before(ctx context.Context, lab catalog.Lab) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, ok := c.labs[lab.Dir]
	if !ok {
		own = &cage{lab: lab}
		c.labs[lab.Dir] = own
	}
	if own.sung && len(own.since) < every {
		return nil
	}
	return c.sing(ctx, own)
}

// saved notes a result that stands or falls with the next canaries. What the gate
// refused was never built.
func (c *canaries) saved(made report.Grade) {
	if made.Status != report.Graded || len(made.Violations) > 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if own, ok := c.labs[made.Lab]; ok {
		own.since = append(own.since, resultPath(c.g.Out, made.Student.ID, made.Lab))
	}
}

// last has the canaries of all labs sing that were graded since.
func (c *canaries) last(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, own := range c.labs {
		if len(own.since) == 0 {
			continue
		}
		if err := c.sing(ctx, own); err != nil {
			return err
		}
	}
	return nil
}

func (c *canaries) sing(ctx context.Context, own *cage) error {
	var err error
	for range tries { // a loaded machine may fail a correct program once; a broken grader fails it always
		if err = c.g.canary(ctx, own.lab); err == nil {
			own.sung, own.since = true, nil
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for _, name := range own.since {
		os.Remove(name)
	}
	lost := len(own.since)
	own.since = nil
	return fmt.Errorf("%w: lab %s: %s. %d results since the last good check were thrown away; they are graded again by the next run", errCanary, own.lab.Dir, err.Error(), lost)
}

// canary judges the reference and the stub as it would submissions.
func (g *grader) canary(ctx context.Context, lab catalog.Lab) error {
	reference, err := subject.Solution(g.kit.Root, lab)
	if err != nil {
		return err
	}
	given, err := subject.Given(g.kit.Root, lab, reference.Files)
	if err != nil {
		return err
	}
	if err := g.expect(ctx, given, "the reference", func(v verdict.Verdict) bool { return v == verdict.Pass }); err != nil {
		return err
	}
	stub, err := subject.Stub(g.kit.Root, lab)
	if err != nil {
		return err
	}
	return g.expect(ctx, stub, "the stub", func(v verdict.Verdict) bool { return v != verdict.Pass })
}

func (g *grader) expect(ctx context.Context, s subject.Subject, who string, good func(verdict.Verdict) bool) error {
	j, err := judge.Judge(ctx, g.kit, judge.Order{Subject: s, Cases: s.Lab.Cases, Seed: g.Seed})
	if err != nil {
		return fmt.Errorf("%s could not be judged: %w", who, err)
	}
	i := slices.IndexFunc(j.Results, func(r outcome.Result) bool { return !good(r.Verdict) })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("%s gets %q in case %s: %s", who, j.Results[i].Verdict, j.Results[i].Case, firstLine(j.Results[i].Message+j.Compiler))
}
