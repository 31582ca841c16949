package cli

import (
	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
)

func newHint(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "hint LAB [CASE]",
		Short: "one more nudge for a case, each time",
		Long: `hint gives one more nudge for a case each time it is asked, from a question to
nearly the answer. Without CASE it takes the first case of LAB that has not passed.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := findRoot()
			if err != nil {
				return err
			}
			lab, err := catalog.Find(args[0])
			if err != nil {
				return err
			}
			state := a.loadProgress(root)
			c, err := hinted(state, lab, args[1:])
			if err != nil {
				return err
			}
			n := 1
			if state != nil {
				n = min(state.Hints(lab.Dir, c.Name)+1, len(c.Hint))
				state.Hinted(lab.Dir, c.Name, n)
			}
			a.screen(a.Out).Hint(lab, c, n)
			a.save(state)
			return nil
		},
	}
}

// hinted is the case that is meant.
func hinted(state *progress.State, lab catalog.Lab, args []string) (conform.Meta, error) {
	if len(args) > 0 {
		return lab.Case(args[0])
	}
	if c, ok := open(state, lab); ok {
		return c, nil
	}
	return lab.Cases[0], nil
}
