package cli

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/contract"
	"github.com/controllerbook/controllerbook/checker/internal/faults"
	"github.com/controllerbook/controllerbook/checker/internal/lesson"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

func newVerify(a *app) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "verify [LAB…]",
		Short: "for authors: are the hidden tests right?",
		Long: `verify proves of each LAB, or of all, that the solution and the alternatives pass every
case, that the stub fails every case by name, that every seeded fault is killed by its
named case with its named verdict, that programs which do nothing earn nothing, and that
the lesson is complete.

--fix proves nothing. It writes what a suite says once and other files repeat: the
catalog's file and the lesson's table of cases; and what a stub declares, as pins beside
the bridge. It copies the stub to labs/ where there is none. A stub that is there is
left alone: it may be somebody's work.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if fix {
				return a.fix(cmd.Context(), args)
			}
			return a.verify(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "bring lessons, the catalog and pins in step with suites and stubs")
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

func (a *app) verify(ctx context.Context, args []string) error {
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	labs, err := chosen(args)
	if err != nil {
		return err
	}
	w.Kit.Planned = true // a lab's subjects are many
	problems, err := pinProblems(ctx, w.Root, labs)
	if err != nil {
		return err
	}
	var checks []faults.Check
	for _, s := range labs {
		wrong, err := textProblems(w.Root, s)
		if err != nil {
			return err
		}
		problems = append(problems, wrong...)
		more, err := faults.Checks(w.Root, s)
		if err != nil {
			return err
		}
		checks = append(checks, more...)
	}
	problems = append(problems, a.prove(ctx, w, checks)...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	screen := a.screen(a.Out)
	for _, p := range problems {
		screen.Bad(p)
	}
	if len(problems) > 0 {
		return errFailed
	}
	screen.Good(fmt.Sprintf("%d labs, %d proofs: solutions and alternatives pass, stubs fail, every fault is killed, what does nothing earns nothing, lessons are complete", len(labs), len(checks)))
	return nil
}

// textProblems says what is wrong with the texts of a lab: its lesson, and what its cases
// quote of the contract.
func textProblems(root string, lab catalog.Lab) ([]string, error) {
	wrong, err := contract.Problems(root, lab)
	if err != nil {
		return nil, err
	}
	wrong = append(wrong, lesson.Problems(root, lab)...)
	for i, p := range wrong {
		wrong[i] = lab.Dir + ": " + p
	}
	return wrong, nil
}

// prove runs the checks, as many at once as there are processors, and returns
// what did not hold, in order.
func (a *app) prove(ctx context.Context, w *workshop, checks []faults.Check) []string {
	screen := a.screen(a.Err)
	failed := make([]string, len(checks))
	var (
		mu    sync.Mutex // guards done and the screen
		done  int
		wg    sync.WaitGroup
		slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for i, c := range checks {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			if err := c.Run(ctx, w.Kit); err != nil {
				failed[i] = fmt.Sprintf("%s, %s: %v", c.Lab.Dir, c.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			screen.Progress(done, len(checks), c.Lab.Dir+" "+c.Name)
		})
	}
	wg.Wait()
	var problems []string
	for _, f := range failed {
		if f != "" {
			problems = append(problems, f)
		}
	}
	return problems
}
