package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/contract"
	"github.com/controllerbook/controllerbook/checker/internal/faults"
	"github.com/controllerbook/controllerbook/checker/internal/lesson"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	fix     bool
	afresh  bool
	screens string
}

func newVerify(a *app) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [LAB[/FAULT]…]",
		Short: "for authors: are the hidden tests right?",
		Long: `verify proves of each LAB, or of all, that the solution and the alternatives pass every
case, that the stub fails every case by name, that every seeded fault is killed by its
named case with its named verdict, that programs which do nothing earn nothing, and that
the lesson is complete. LAB/FAULT proves that one fault and nothing else.

What held before is not run again until something changes that it follows from: the
subject, the suite, the checker or the toolchain. --afresh runs all of it. So do
--screens and LAB/FAULT.

--screens DIR also keeps what a learner with each mistake would read. DIR/NN-lab/FAULT.txt
is what checker run prints of the case that is named in the fault, 80 columns wide and
without colour. DIR must not exist, or must be empty or hold screens: those of the labs
and faults that are proved are replaced, the others stay.

--fix proves nothing. It writes what a suite says once and other files repeat: the
catalog's file, and the lesson's table of cases and its imports; and what a stub declares,
as pins beside the bridge. It copies the stub to labs/ where there is none. A stub that
is there is left alone: it may be somebody's work.

Exit codes: 0 all of it holds · 1 something does not · 2 bad usage, or DIR holds other
things · 3 the checker or the machine failed · 130 interrupted`,
		Example: "  checker verify 7\n  checker verify 7/blind-writes 7/check-then-act --screens bin/screens\n  checker verify --fix",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.fix && cmd.Flags().Changed("screens"):
				return usageError{errors.New("--fix proves nothing, so there are no --screens")}
			case o.fix:
				return a.fix(cmd.Context(), args)
			case o.screens == "" && cmd.Flags().Changed("screens"):
				return usageError{errors.New("--screens is the name of a directory")}
			}
			return a.verify(cmd.Context(), args, o.afresh, faultScreens(o.screens))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.fix, "fix", false, "bring lessons, the catalog and pins in step with suites and stubs")
	f.BoolVar(&o.afresh, "afresh", false, "run what held before, too")
	f.StringVar(&o.screens, "screens", "", "write what a learner would read of each fault to this directory")
	return cmd
}

// chosen are the suites of the labs that are named, or all.
func chosen(names []string) ([]catalog.Lab, error) {
	if len(names) == 0 {
		return suites.All(), nil
	}
	var labs []catalog.Lab
	for _, name := range names {
		lab, err := catalog.Find(name)
		if err != nil {
			return nil, err
		}
		labs = append(labs, lab)
	}
	return suites.Of(labs)
}

// toProve is what args name: the labs to be proved as a whole, and all checks, those of
// single faults among them.
func toProve(root string, args []string) (whole []catalog.Lab, checks []faults.Check, err error) {
	if len(args) == 0 {
		for _, lab := range catalog.Labs() {
			args = append(args, lab.Dir)
		}
	}
	seen := map[string]bool{}
	for _, arg := range args {
		name, fault, _ := strings.Cut(strings.Trim(strings.TrimPrefix(arg, "labs/"), "/"), "/")
		labs, err := chosen([]string{name})
		if err != nil {
			return nil, nil, err
		}
		if fault == "" {
			whole = append(whole, labs...)
		}
		of, err := faults.Checks(root, labs[0])
		if err != nil {
			return nil, nil, err
		}
		if fault != "" {
			of = slices.DeleteFunc(of, func(c faults.Check) bool { return c.Fault != fault })
		}
		if len(of) == 0 {
			return nil, nil, usageError{fmt.Errorf("lab %s has no fault %q: %s/%s has them all", labs[0].Dir, fault, seeded.Dir, labs[0].Dir)}
		}
		for _, c := range of {
			if !seen[c.ID()] {
				seen[c.ID()] = true
				checks = append(checks, c)
			}
		}
	}
	return whole, checks, nil
}

// fix writes what is generated from the suites.
func (a *app) fix(ctx context.Context, args []string) error {
	root, err := findRoot()
	if err != nil {
		return err
	}
	labs, err := chosen(args)
	if err != nil {
		return err
	}
	for _, s := range labs {
		if err := lesson.Fix(root, s); err != nil {
			return err
		}
	}
	if err := fixPins(ctx, root, labs); err != nil {
		return err
	}
	a.screen(a.Out).Good(fmt.Sprintf("%d labs: lessons, the catalog and pins are in step with suites and stubs", len(labs)))
	return nil
}

func (a *app) verify(ctx context.Context, args []string, afresh bool, screens faultScreens) error {
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	labs, checks, err := toProve(w.Root, args)
	if err != nil {
		return err
	}
	w.Kit.Planned = true // a lab's subjects are many
	if screens == "" {   // they say how long a learner would wait
		w.Kit.Budget = faults.Budget
	}
	if err := screens.prepare(labs, checks); err != nil {
		return err
	}
	problems, err := labProblems(ctx, w.Root, labs)
	if err != nil {
		return err
	}
	var held *faults.Held
	if !afresh && screens == "" && len(labs) > 0 && !single(checks, labs) {
		if held, err = openHeld(ctx, w.Root, labs); err != nil {
			return err
		}
	}
	wrong, err := a.prove(ctx, w, held, checks, screens)
	if err != nil {
		return err
	}
	problems = append(problems, wrong...)
	screen := a.screen(a.Out)
	for _, p := range problems {
		screen.Bad(p)
	}
	if len(problems) > 0 {
		return errFailed
	}
	screen.Good(holds(labs, checks))
	return nil
}

// single reports whether checks are about labs that are not proved as a whole.
func single(checks []faults.Check, whole []catalog.Lab) bool {
	return slices.ContainsFunc(checks, func(c faults.Check) bool {
		return !slices.ContainsFunc(whole, func(l catalog.Lab) bool { return l.Dir == c.Lab.Dir })
	})
}

// openHeld opens what is remembered of earlier proofs.
func openHeld(ctx context.Context, root string, labs []catalog.Lab) (*faults.Held, error) {
	dir, err := faults.DefaultHeld()
	if err != nil {
		return nil, err
	}
	return faults.OpenHeld(ctx, dir, root, labs)
}

// holds says what was proved.
func holds(whole []catalog.Lab, checks []faults.Check) string {
	if len(whole) == 0 {
		return "each fault is killed by its named case with its named verdict"
	}
	return fmt.Sprintf("%d labs, %d proofs: solutions and alternatives pass, stubs fail, every fault is killed, what does nothing earns nothing, lessons are complete", len(whole), len(checks))
}

// labProblems says what is wrong with the pins and the texts of labs.
func labProblems(ctx context.Context, root string, labs []catalog.Lab) ([]string, error) {
	if len(labs) == 0 {
		return nil, nil
	}
	problems, err := pinProblems(ctx, root, labs)
	if err != nil {
		return nil, err
	}
	for _, lab := range labs {
		wrong, err := contract.Problems(root, lab)
		if err != nil {
			return nil, err
		}
		for _, p := range append(wrong, lesson.Problems(root, lab)...) {
			problems = append(problems, lab.Dir+": "+p)
		}
	}
	return problems, nil
}

// prove carries out the checks, and writes the screens of faults. It returns what did not
// hold, in order.
func (a *app) prove(ctx context.Context, w *workshop, held *faults.Held, checks []faults.Check, screens faultScreens) ([]string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	screen := a.screen(a.Err)
	pace := newPace(len(checks))
	failed := map[string]string{}
	err := faults.Prove(ctx, w.Kit, held, checks, func(p faults.Proof) {
		if p.Err != nil {
			failed[p.ID()] = fmt.Sprintf("%s, %s: %v", p.Lab.Dir, p.Name, p.Err)
		}
		if err := screens.write(w.Root, p.Check, p.Result); err != nil {
			cancel(err)
		}
		label := p.ID()
		if left := pace.step(p.Known); left != "" {
			label = left + "  " + label
		}
		screen.Progress(pace.done, pace.total, label)
	})
	if context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	var problems []string
	for _, c := range checks {
		if text, wrong := failed[c.ID()]; wrong {
			problems = append(problems, text)
		}
	}
	return problems, err
}
