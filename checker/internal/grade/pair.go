package grade

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// pair is one student and one lab.
type pair struct {
	handin *submission.Handin
	lab    catalog.Lab
	found  submission.Found
	parts  map[string]submission.Found // of the labs that lab is made of
	key    string

	earlier result.Grade // of an earlier run, if known
	known   bool
}

// block grades all labs of some students. An error ends the class: the disk failed, or a
// lab check.
func (g *grader) block(ctx context.Context, handins []*submission.Handin) error {
	found := map[*submission.Handin][]submission.Found{}
	for _, h := range handins {
		var err error
		if found[h], err = g.class.Read(h); err != nil {
			delete(found, h)
			if err := g.unread(h, err); err != nil {
				return err
			}
		}
	}
	for _, lab := range g.Labs {
		var pairs []pair
		for _, h := range handins {
			if own, ok := found[h]; ok {
				pairs = append(pairs, g.newPair(h, lab, own))
			}
		}
		if err := g.together(ctx, pairs); err != nil {
			return err
		}
	}
	return nil
}

// together grades pairs of one lab, whose code is built together as far as that can be. That
// only saves time: what could not be is built when its turn comes.
func (g *grader) together(ctx context.Context, pairs []pair) error {
	var subjects []subject.Subject
	for _, p := range pairs {
		if g.turn(p) != isDue || p.found.Rejection != nil || len(p.found.Files) == 0 {
			continue
		}
		if s, err := p.subject(g.kit.Root); err == nil {
			subjects = append(subjects, s)
		}
	}
	if release, err := judge.Ahead(ctx, g.kit, subjects); err == nil {
		defer release()
	}
	for _, p := range pairs {
		if ctx.Err() != nil {
			return nil
		}
		if err := g.pair(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (g *grader) newPair(h *submission.Handin, lab catalog.Lab, found []submission.Found) pair {
	p := pair{handin: h, lab: lab, parts: map[string]submission.Found{}}
	for i, l := range g.read {
		switch {
		case l.Dir == lab.Dir:
			p.found = found[i]
		case slices.Contains(lab.Parts, l.Dir):
			p.parts[l.Dir] = found[i]
		}
	}
	p.key = submissionKey(g.keys[lab.Dir], p)
	p.earlier, p.known = load(g.Out, h.Student.ID, lab.Dir)
	return p
}

// unread reports a submission that the machine could not read.
func (g *grader) unread(h *submission.Handin, cause error) error {
	for _, lab := range g.Labs {
		p := pair{handin: h, lab: lab}
		if err := g.finish(p, g.failed(p, fmt.Errorf("read the submission: %w", cause)), Event{}); err != nil {
			return err
		}
	}
	return nil
}

// pair finds the result of one pair: an earlier one, that of the same files, or a new one.
func (g *grader) pair(ctx context.Context, p pair) error {
	switch g.turn(p) {
	case leftOut:
		return g.skip(p)
	case stands:
		return g.again(p)
	}
	f, first := g.flights.join(p.key)
	if !first {
		if made, ok := g.twin(ctx, f, p); ok {
			return g.finish(p, made, Event{Shared: true})
		}
		return g.anew(ctx, p)
	}
	defer close(f.landed)
	err := g.anew(ctx, p)
	f.student = p.handin.Student.ID
	return err
}

// turn is what a run has to do with a pair.
type turn int

const (
	isDue   turn = iota // it has to be graded
	leftOut             // Only leaves it out
	stands              // its earlier result is right still
)

func (g *grader) turn(p pair) turn {
	switch {
	case len(g.Only) > 0 && !(p.known && g.only(p.earlier)):
		return leftOut
	case p.known && len(g.Only) == 0 && !g.Regrade && p.earlier.Key == p.key && p.earlier.Status != result.Failed:
		return stands
	}
	return isDue
}

// anew grades a pair and keeps what came of it.
func (g *grader) anew(ctx context.Context, p pair) error {
	began := time.Now()
	made, err := g.grade(ctx, p)
	switch {
	case ctx.Err() != nil:
		return nil // broken off: the next run begins it anew
	case errors.Is(err, errUntrusted):
		return err
	case err != nil:
		made = g.failed(p, err)
	}
	return g.finish(p, made, Event{Took: time.Since(began)})
}

// twin waits for the student who submitted the same files, and takes that grade from the
// disk.
func (g *grader) twin(ctx context.Context, f *flight, p pair) (result.Grade, bool) {
	select {
	case <-f.landed:
	case <-ctx.Done():
		return result.Grade{}, false
	}
	made, ok := load(g.Out, f.student, p.lab.Dir)
	return made, ok && made.Key == p.key && made.Status != result.Failed
}

// only reports whether a grade has one of the statuses or verdicts of Only.
func (g *grader) only(earlier result.Grade) bool {
	if slices.Contains(g.Only, string(earlier.Status)) {
		return true
	}
	return slices.ContainsFunc(earlier.Cases, func(c outcome.Result) bool { return slices.Contains(g.Only, string(c.Verdict)) })
}

// skip passes over a pair that Only leaves out.
func (g *grader) skip(p pair) error {
	e := Event{Student: p.handin.Student.ID, Lab: p.lab.Dir, Word: "not looked at", Earlier: true}
	if p.known {
		e.Word, e.Points, e.Max = word(p.earlier), p.earlier.Points, p.earlier.Max
	}
	g.done(e)
	return nil
}

// again takes an earlier result. Names, groups and deadlines may be others now.
func (g *grader) again(p pair) error {
	earlier, now := p.earlier, p.earlier
	g.dress(p, &now)
	if now.Student != earlier.Student || now.Points != earlier.Points || (now.Late == nil) != (earlier.Late == nil) || now.Late != nil && *now.Late != *earlier.Late {
		if err := save(g.Out, now); err != nil {
			return err
		}
	}
	g.done(Event{Student: now.Student.ID, Lab: now.Lab, Word: word(now), Points: now.Points, Max: now.Max, Earlier: true})
	return nil
}

// finish makes a grade the student's, keeps it and reports it.
func (g *grader) finish(p pair, made result.Grade, e Event) error {
	g.dress(p, &made)
	if err := save(g.Out, made); err != nil {
		return err
	}
	g.checks.saved(made)
	e.Student, e.Lab, e.Word, e.Points, e.Max = made.Student.ID, made.Lab, word(made), made.Points, made.Max
	g.done(e)
	return nil
}

// dress adds to a grade what belongs to the student and not to the submission: name, and
// lateness.
func (g *grader) dress(p pair, made *result.Grade) {
	made.Student = p.handin.Student
	made.Points, made.Late = 0, nil
	for _, c := range made.Cases {
		made.Points += c.Points
	}
	policy, ok := g.Deadlines.For(p.lab.Dir)
	if !ok || made.Status != result.Graded {
		return
	}
	if p.found.Submitted.IsZero() && !p.handin.Late {
		g.problem(fmt.Sprintf("%s, %s: nothing tells when it was handed in; it counts as in time.", p.handin.Student.ID, p.lab.Dir))
		return
	}
	made.Late = policy.Late(p.found.Submitted, p.handin.Late, made.Points)
	if made.Late != nil {
		made.Points = left(made.Late)
	}
}

// blank is a grade of nothing yet.
func (g *grader) blank(p pair) result.Grade {
	return result.Grade{
		Schema: result.GradeSchema, Key: p.key, Lab: p.lab.Dir, Title: p.lab.Title, Max: p.lab.Max(),
		Isolation: g.Isolation, Seed: g.Seed, Toolchain: g.toolchain, Cases: []outcome.Result{},
	}
}

// failed is the grade of a pair that the grader could not decide. It means nothing
// about the submission; the log has what is known.
func (g *grader) failed(p pair, cause error) result.Grade {
	made := g.blank(p)
	made.Status = result.Failed
	made.Problem = "The grader failed; this is not the submission's doing. " + firstLine(cause.Error())
	if err := writeLog(g.Out, p.handin.Student.ID, p.lab.Dir, cause); err != nil {
		g.problem(fmt.Sprintf("%s, %s: no log could be written: %v", p.handin.Student.ID, p.lab.Dir, err))
	}
	return made
}

func firstLine(s string) string {
	const most = 300
	s, _, _ = strings.Cut(s, "\n")
	return printable.Shorten(strings.ToValidUTF8(s, "?"), most, "…")
}

// tries is how often the grader's own failure is met before it is reported.
const tries = 3

// grade grades a pair for the first time.
func (g *grader) grade(ctx context.Context, p pair) (result.Grade, error) {
	made := g.blank(p)
	switch {
	case p.found.Rejection != nil:
		made.Status, made.Problem = result.Rejected, string(p.found.Rejection.Kind)+": "+p.found.Rejection.Why
		return made, nil
	case len(p.found.Files) == 0:
		made.Status = result.Missing
		return made, nil
	}
	if err := g.checks.before(ctx, p.lab); err != nil {
		return made, err
	}
	s, err := p.subject(g.kit.Root)
	if err != nil {
		return made, err
	}
	began := time.Now()
	var j judge.Judgement
	for range tries {
		j, err = g.judge(ctx, s)
		if ctx.Err() != nil || err == nil {
			break
		}
	}
	if err != nil {
		return made, err
	}
	made.Status, made.Cases, made.TookNS = result.Graded, j.Results, int64(time.Since(began))
	made.Refusal = result.NewRefusal(j.Compiler, j.Refused, j.Violations)
	return made, nil
}

// judge runs all cases. A case that the checker could not decide is an error here, because
// it must cost no points.
func (g *grader) judge(ctx context.Context, s subject.Subject) (judge.Judgement, error) {
	j, err := judge.Judge(ctx, g.kit, judge.Order{
		Subject: s, Cases: s.Lab.Cases, Seed: g.Seed, Stability: g.Stability, Confirm: confirmations, Isolate: g.Isolate,
	})
	if err != nil {
		return j, err
	}
	for _, r := range j.Results {
		if r.Verdict == verdict.CheckerError {
			return j, fmt.Errorf("case %s: %s\n\n%s", r.Case, r.Message, r.Raw)
		}
	}
	return j, nil
}

// subject is the code of a pair. For a lab made of labs, the parts that the student has
// begun and submitted are the student's, and the others the reference's, so that being
// stuck in one lab does not cost the points of another.
func (p pair) subject(root string) (subject.Subject, error) {
	s, err := subject.Given(root, p.lab, p.found.Files)
	if err != nil {
		return s, err
	}
	for _, dir := range p.lab.Parts {
		found := p.parts[dir]
		if found.Rejection != nil || len(found.Files) == 0 {
			continue
		}
		lab, err := catalog.Find(dir)
		if err != nil {
			return s, err
		}
		part, err := subject.Given(root, lab, found.Files)
		if err != nil {
			return s, err
		}
		untouched, err := part.Untouched()
		if err != nil {
			return s, err
		}
		if !untouched {
			s.Parts = append(s.Parts, part)
		}
	}
	return s, nil
}

// word sums a grade up in one word: its status, or if it was graded the verdict of the
// first case that did not pass.
func word(g result.Grade) string {
	if g.Status != result.Graded {
		return string(g.Status)
	}
	for _, c := range g.Cases {
		if c.Verdict != verdict.Pass {
			return string(c.Verdict)
		}
	}
	return string(verdict.Pass)
}
