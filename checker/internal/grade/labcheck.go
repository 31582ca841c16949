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
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// every is after how many graded submissions of a lab the lab is checked again.
const every = 50

// labChecks check each lab that is graded: its reference must pass and its stub must fail,
// before its first submission, after each fifty, and at the end. If they do not, the grader
// is not believed, and all that it graded since the last good check is thrown away.
type labChecks struct {
	g *grader

	mu   sync.Mutex // guards labs; held during a check, so that nobody grades meanwhile
	labs map[string]*labCheck
}

// labCheck is what is known of one lab.
type labCheck struct {
	lab      catalog.Lab
	verified bool
	since    []string // result files since the last good check
}

func newLabChecks(g *grader) *labChecks { return &labChecks{g: g, labs: map[string]*labCheck{}} }

// before is called before a submission is graded. It blocks while a check runs.
func (c *labChecks) before(ctx context.Context, lab catalog.Lab) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, ok := c.labs[lab.Dir]
	if !ok {
		own = &labCheck{lab: lab}
		c.labs[lab.Dir] = own
	}
	if own.verified && len(own.since) < every {
		return nil
	}
	return c.run(ctx, own)
}

// saved notes a result that stands or falls with the next check. What the gate refused is
// not among these: it was never built.
func (c *labChecks) saved(made result.Grade) {
	if made.Status != result.Graded || len(made.Violations) > 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if own, ok := c.labs[made.Lab]; ok {
		own.since = append(own.since, resultPath(c.g.Out, made.Student.ID, made.Lab))
	}
}

// last checks all labs of which something was graded since their last check.
func (c *labChecks) last(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, own := range c.labs {
		if len(own.since) == 0 {
			continue
		}
		if err := c.run(ctx, own); err != nil {
			return err
		}
	}
	return nil
}

// run checks a lab. If the check fails, it removes what was graded since the last one.
func (c *labChecks) run(ctx context.Context, own *labCheck) error {
	var err error
	for range tries { // a loaded machine may fail a correct program once; a broken grader fails it always
		if err = c.g.check(ctx, own.lab); err == nil {
			own.verified, own.since = true, nil
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
	return fmt.Errorf("%w: lab %s: %s. %d results since the last good check were thrown away; they are graded again by the next run", errUntrusted, own.lab.Dir, err.Error(), lost)
}

// check judges the reference and the stub as it would submissions.
func (g *grader) check(ctx context.Context, lab catalog.Lab) error {
	reference, err := subject.Solution(g.kit.Root, lab)
	if err != nil {
		return err
	}
	given, err := subject.Given(g.kit.Root, lab, reference.Files)
	if err != nil {
		return err
	}
	stub, err := subject.Stub(g.kit.Root, lab)
	if err != nil {
		return err
	}
	release, err := g.kit.BuildAhead(ctx, []subject.Subject{given, stub})
	if err != nil {
		return err
	}
	defer release()
	if err := g.expect(ctx, given, "the reference", func(v verdict.Verdict) bool { return v == verdict.Pass }); err != nil {
		return err
	}
	return g.expect(ctx, stub, "the stub", func(v verdict.Verdict) bool { return v != verdict.Pass })
}

func (g *grader) expect(ctx context.Context, s subject.Subject, who string, good func(verdict.Verdict) bool) error {
	j, err := judge.Judge(ctx, g.kit, judge.Order{Subject: s, Cases: s.Lab.Cases, Seed: g.Seed, Isolate: g.Isolate})
	if err != nil {
		return fmt.Errorf("%s could not be judged: %w", who, err)
	}
	i := slices.IndexFunc(j.Results, func(r outcome.Result) bool { return !good(r.Verdict) })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("%s gets %q in case %s: %s", who, j.Results[i].Verdict, j.Results[i].Case, firstLine(j.Results[i].Message+j.Compiler))
}
