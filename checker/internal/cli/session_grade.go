package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/watch"
)

// graded is a lab and what became of it.
type graded struct {
	subject subject.Subject
	*ruling
	run   *result.Run
	step  explain.Step // where to look, if the lab is made of others
	notes string       // what is wrong with the progress file
}

// gradeOne grades a lab and shows what became of it.
func (s *session) gradeOne(lab catalog.Lab) watch.Job {
	return func(ctx context.Context) {
		g, err := s.assess(ctx, lab, "")
		switch {
		case ctx.Err() != nil:
			return // something else is graded now
		case err != nil:
			s.fail(err)
			return
		}
		s.show(g)
		how := ", graded at "
		if g.remembered {
			how = ", the same code as at "
		}
		s.board.Status(g.points()+how+g.At.Format(time.TimeOnly), false)
	}
}

// gradeAll grades the labs that the learner has begun. That of the watched one is shown.
func (s *session) gradeAll(watched catalog.Lab) watch.Job {
	return func(ctx context.Context) {
		for _, lab := range catalog.Labs() {
			own, err := subject.Learner(s.root, lab)
			if err != nil {
				s.fail(err)
				return
			}
			if untouched, err := own.Untouched(); err != nil || untouched {
				continue
			}
			g, err := s.assess(ctx, lab, fmt.Sprintf("lab %02d: ", lab.Number))
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				s.fail(err)
				return
			case lab.Dir == watched.Dir:
				s.show(g)
			}
		}
		s.list()
		s.board.Status("all graded at "+time.Now().Format(time.TimeOnly), false)
	}
}

// fail shows why a lab could not be graded.
func (s *session) fail(err error) {
	message, help := diagnose(err)
	s.board.Show(func(screen *render.Screen) { screen.Problem(message, help) })
	s.board.Status("not graded", false)
}

// show shows what became of a lab.
func (s *session) show(g graded) {
	s.mu.Lock()
	s.last = &g
	s.mu.Unlock()
	s.board.Show(g.page)
}

// assess judges the learner's code and records what became of it. What is being done stands
// in the head of the screen, behind label.
func (s *session) assess(ctx context.Context, lab catalog.Lab, label string) (g graded, err error) {
	busy := func(what string) { s.board.Status(label+what, true) }
	busy("building …")
	kit, closeAll, err := kitAt(s.root)
	if err != nil {
		return g, err
	}
	defer closeAll()
	if g.subject, err = subject.Learner(s.root, lab); err != nil {
		return g, err
	}
	done := 0
	g.run = result.NewRun("learner", newSeed())
	order := judge.Order{Subject: g.subject, Cases: lab.Cases, Seed: g.run.Seed, Done: func(outcome.Result) {
		done++
		busy(fmt.Sprintf("%d of %d cases …", done, len(lab.Cases)))
	}}
	if g.ruling, err = rule(ctx, memory(ctx, kit), kit, order, false, func(time.Time) {}); err != nil {
		return g, err
	}
	g.run.Add(lab.Lab, g.Results, result.NewRefusal(g.Compiler, g.Refused, g.Violations))
	if g.step, err = g.blame(ctx, busy); err != nil {
		return g, err
	}
	g.notes = s.progress(func(state *progress.State) (changed bool) {
		if state == nil || ctx.Err() != nil {
			return false
		}
		state.Record(g.Results)
		return true
	})
	return g, nil
}

// page is what became of the lab: the failure to begin with, and then all cases.
func (g graded) page(screen *render.Screen) {
	lab := g.subject.Lab
	screen.Folded(g.notes)
	screen.LabStart(lab)
	noteExtra(screen, g.subject)
	if g.remembered {
		screen.Remembered(g.At)
	}
	showDetails(screen, g.subject, g.Judgement, lab.Cases, runOptions{})
	screen.NextStep(g.step)
	screen.Wavering(g.wavering)
	next := "Press n to go on with the next lab."
	if after(lab) == "" {
		next = ""
	}
	screen.LabEnd(lab, g.Results, next)
	if len(g.Violations) > 0 || g.Compiler != "" {
		return // no case was run
	}
	screen.Section("all cases")
	for i, r := range g.Results {
		screen.CaseLine(lab.Cases[i], r)
	}
}

// points are "15/100 points".
func (g graded) points() string {
	got, most := 0, 0
	for _, r := range g.Results {
		got += r.Points
		most += r.Max
	}
	return fmt.Sprintf("%d/%d points", got, most)
}

// raw is what the compiler said, or the runtime or the race detector of the failure to
// begin with.
func (g graded) raw() string {
	if g.Compiler != "" {
		return g.Compiler
	}
	if i := explain.First(g.subject.Lab.Cases, g.Results); i >= 0 {
		return g.Results[i].Raw
	}
	return ""
}
