package cli

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/faults"
	"github.com/controllerbook/controllerbook/checker/internal/lesson"
)

func newVerify(a *app) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "verify [LAB…]",
		Short: "for authors: are the hidden tests right?",
		Long: `verify proves of each LAB, or of all, that the solution passes every case, that
the stub fails every case by name, that every seeded fault is killed by its named
case with its named verdict, and that the lesson is complete.

--fix first writes the table of cases into the lesson, and copies the stub to labs/
where there is none. A file that is there is left alone: it may be somebody's work.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.verify(cmd.Context(), args, fix) },
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "first bring lessons in step with their suites")
	return cmd
}

func (a *app) verify(ctx context.Context, args []string, fix bool) error {
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	labs := catalog.Labs()
	if len(args) > 0 {
		if labs, err = choose(w, args); err != nil {
			return err
		}
	}
	var checks []faults.Check
	var problems []string
	for _, lab := range labs {
		if fix {
			if err := lesson.Fix(w.Root, lab); err != nil {
				return err
			}
		}
		for _, p := range lesson.Problems(w.Root, lab) {
			problems = append(problems, lab.Dir+": "+p)
		}
		checks = append(checks, faults.Checks(lab)...)
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
	screen.Good(fmt.Sprintf("%d labs, %d proofs: solutions pass, stubs fail, every fault is killed, lessons are complete", len(labs), len(checks)))
	return nil
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
