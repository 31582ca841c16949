package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/memo"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/timeline"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// runOptions are the flags of run.
type runOptions struct {
	cases     []string
	subject   string
	reference []string
	json      bool
	raw       bool
	seed      uint64
	stability int
	isolate   bool
	timeline  bool
	again     bool
}

func newRun(a *app) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [LAB…]",
		Short: "grade labs with their hidden tests",
		Long: `run grades your code in labs/ with the hidden tests of each LAB, given as 1, 01,
goroutines or 01-goroutines. Without LAB it takes the lab of the current
directory, or else the one that checker next names.

Cases run together in a few processes first. What is not proved there runs again in a
process of its own, and only that can fail; --isolate runs every case so.

The failing case to begin with is explained in full; --case NAME explains another.

Code that has not changed since its last verdict, with the same tests, checker and
toolchain, is not run: run shows that verdict again, and says so. --again runs it anyway,
and so do --seed, --stability, --isolate and --json. What ended in more than one way with
the same code is run each time.`,
		Example: "  checker run 1\n  checker run 1 --case keeps-order\n  checker run 1 2 3 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.again = o.again || o.seed != 0 || o.stability > 1 || o.isolate || o.json
			if o.seed == 0 {
				o.seed = newSeed()
			}
			return a.run(cmd.Context(), args, o)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.cases, "case", nil, "run only this case (may be given again)")
	f.StringVar(&o.subject, "subject", "learner", "whose code: learner or solution")
	f.StringSliceVar(&o.reference, "reference", nil, "in a lab made of your own labs, use the reference in place of these, or of all: 10,14")
	f.BoolVar(&o.json, "json", false, "print result.json and nothing else")
	f.BoolVar(&o.raw, "raw", false, "print the original text of the runtime and the race detector")
	f.Uint64Var(&o.seed, "seed", 0, "replay the inputs of an earlier run")
	f.IntVar(&o.stability, "stability", 1, "run each case so often; passing k of n is unstable")
	f.BoolVar(&o.timeline, "timeline", false, "draw the history of a failing case as lanes, one line for each thing that happened")
	f.BoolVar(&o.again, "again", false, "run code that has not changed, too")
	f.BoolVar(&o.isolate, "isolate", false, "run each case in a process of its own, passes too")
	return cmd
}

func (a *app) run(ctx context.Context, args []string, o runOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	labs, err := choose(w.Root, w.state, args)
	if err != nil {
		return err
	}
	total := result.NewRun(o.subject, o.seed)
	known := memory(ctx, w.Kit)
	for _, lab := range labs {
		cases, err := selected(lab, o.cases)
		if err != nil {
			return err
		}
		j, err := a.runLab(ctx, w, known, lab, cases, o)
		if err != nil {
			return err
		}
		total.Add(lab.Lab, j.Results, result.NewRefusal(j.Compiler, j.Refused, j.Violations))
		if o.subject == "learner" && w.state != nil {
			w.state.Record(j.Results)
		}
	}
	if o.subject == "learner" {
		a.save(w.state)
	}
	if o.json {
		if err := total.WriteJSON(a.Out); err != nil {
			return err
		}
	}
	return answer(total)
}

// check refuses what makes no sense.
func (o runOptions) check() error {
	switch {
	case o.subject != "learner" && o.subject != "solution":
		return usageError{fmt.Errorf("--subject is learner or solution, not %q", o.subject)}
	case o.subject == "solution" && catalog.Handout:
		return usageError{errNoSolutions}
	}
	return nil
}

// errNoSolutions is returned where a command needs what a handout does not have.
var errNoSolutions = errors.New("a student's copy of the workbook has no solutions")

// newSeed is a random seed that is short enough to be typed again.
func newSeed() uint64 { return uint64(rand.Uint32()) + 1 }

// answer is the error that a result makes the command return. A failure of the checker
// counts only where no case of the learner's failed.
func answer(total *result.Run) error {
	worst := verdict.Sound
	for _, lab := range total.Labs {
		for _, c := range lab.Cases {
			worst = max(worst, c.Verdict.Standing())
		}
	}
	switch worst {
	case verdict.Faulty:
		return errFailed
	case verdict.Unknown:
		return errors.New("the checker could not decide every case")
	}
	return nil
}

// choose finds the labs that are meant.
func choose(root string, state *progress.State, args []string) ([]catalog.Lab, error) {
	var labs []catalog.Lab
	for _, name := range args {
		lab, err := catalog.Find(name)
		if err != nil {
			return nil, err
		}
		labs = append(labs, lab)
	}
	if len(labs) == 0 {
		labs = append(labs, here(root, state))
	}
	return labs, nil
}

// here is the lab of the working directory, or else the one that next names.
func here(root string, state *progress.State) catalog.Lab {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(filepath.Join(root, "labs"), wd); err == nil && rel != "." && !strings.HasPrefix(rel, "..") {
			if lab, err := catalog.Find(strings.Split(filepath.ToSlash(rel), "/")[0]); err == nil {
				return lab
			}
		}
	}
	if lab, ok := nextLab(state); ok {
		return lab
	}
	labs := catalog.Labs()
	return labs[len(labs)-1]
}

// passed counts the cases of a lab that the learner's code passed last time.
func passed(s *progress.State, lab catalog.Lab) int {
	n := 0
	for _, c := range lab.Cases {
		if s != nil && s.Verdict(lab.Dir, c.Name) == verdict.Pass {
			n++
		}
	}
	return n
}

// selected are the cases named, in the lab's order, or all.
func selected(lab catalog.Lab, names []string) ([]conform.Meta, error) {
	if len(names) == 0 {
		return lab.Cases, nil
	}
	wanted := map[string]bool{}
	for _, n := range names {
		if _, err := lab.Case(n); err != nil {
			return nil, err
		}
		wanted[n] = true
	}
	var cases []conform.Meta
	for _, c := range lab.Cases {
		if wanted[c.Name] {
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// source reads the code that is meant.
func (o runOptions) source(root string, lab catalog.Lab) (subject.Subject, error) {
	read := subject.Learner
	if o.subject == "solution" {
		read = subject.Solution
	}
	s, err := read(root, lab)
	if err != nil {
		return s, err
	}
	return withReference(s, o.reference)
}

// runLab judges one lab and shows it, unless only JSON is wanted.
func (a *app) runLab(ctx context.Context, w *workshop, known func() *memo.Memo, lab catalog.Lab, cases []conform.Meta, o runOptions) (judge.Judgement, error) {
	s, err := o.source(w.Root, lab)
	if err != nil {
		return judge.Judgement{}, err
	}
	order := judge.Order{Subject: s, Cases: cases, Seed: o.seed, Stability: o.stability, Isolate: o.isolate}
	if o.json {
		r, err := ruleAnew(ctx, known, w.Kit, order)
		return r.Judgement, err
	}
	screen := a.screen(a.Out)
	screen.LabStart(lab)
	noteExtra(screen, s)
	lines := inOrder(cases, func(c conform.Meta, r outcome.Result) { screen.CaseLine(c, r) })
	order.Done = func(r outcome.Result) {
		if !r.Verdict.Refused() {
			lines(r)
		}
	}
	r, err := rule(ctx, known, w.Kit, order, o.again, screen.Remembered)
	if err != nil {
		return r.Judgement, err
	}
	showDetails(screen, s, r.Judgement, cases, o)
	step, err := r.blame(ctx, screen.Note)
	if err != nil {
		return r.Judgement, err
	}
	screen.NextStep(step)
	screen.Wavering(r.wavering)
	screen.LabEnd(s.Lab, r.Results, after(s.Lab))
	return r.Judgement, nil
}

// noteExtra names the files beside a lab's own, which are not graded.
func noteExtra(screen *render.Screen, s subject.Subject) {
	for _, name := range s.Extra {
		screen.Note(s.Path + "/" + name + " is not one of this lab's files and is not compiled: what is graded is " + strings.Join(s.Lab.Files, ", ") + ".")
	}
}

// showDetails explains why the lab was refused, or the failing case to begin with, or each
// failing case that was named.
func showDetails(screen *render.Screen, s subject.Subject, j judge.Judgement, cases []conform.Meta, o runOptions) {
	switch {
	case len(j.Violations) > 0:
		screen.CaseDetail(explain.Forbidden(j.Refused, j.Violations))
	case j.Compiler != "":
		screen.CaseDetail(explain.Compile(j.Compiler))
	case len(o.cases) > 0:
		for i, r := range j.Results {
			if r.Verdict != verdict.Pass {
				showDetail(screen, s, explain.Case(cases[i], r), r, o)
			}
		}
	default:
		if i := explain.First(cases, j.Results); i >= 0 {
			e := explain.Case(cases[i], j.Results[i])
			e.Akin = explain.Akin(cases, j.Results, i)
			showDetail(screen, s, e, j.Results[i], o)
		}
	}
}

// shownEvents is how many events of a history are drawn in a terminal.
const shownEvents = 40

// showDetail shows what the checker makes of a failure, or what it was made from. A timeline
// says what the history would say again.
func showDetail(screen *render.Screen, s subject.Subject, e explain.Explanation, r outcome.Result, o runOptions) {
	if o.raw {
		screen.Raw(r.Raw)
		return
	}
	if o.timeline {
		e.History = nil
	}
	e.Quote(s.Line)
	screen.CaseDetail(e)
	if o.timeline {
		screen.Timeline(timeline.New(r.History, shownEvents))
	}
}

// after is the command for the lab that follows, "" after the last.
func after(lab catalog.Lab) string {
	for _, l := range catalog.Labs() {
		if l.Number > lab.Number {
			return fmt.Sprintf("make lab-%d", l.Number)
		}
	}
	return ""
}

// inOrder hands results on in the order of the cases, each as soon as all before
// it are known.
func inOrder(cases []conform.Meta, show func(conform.Meta, outcome.Result)) func(outcome.Result) {
	known := map[string]outcome.Result{}
	next := 0
	return func(r outcome.Result) {
		known[r.Case] = r
		for ; next < len(cases); next++ {
			r, ok := known[cases[next].Name]
			if !ok {
				return
			}
			show(cases[next], r)
		}
	}
}
