package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
)

func newHint(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "hint LAB [CASE]",
		Short: "one more nudge for a case, each time",
		Long: `hint gives one more nudge for a case each time you ask, from a question to nearly
the answer. Without CASE it takes the first case of LAB that has not passed.`,
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
			c, ok, err := hinted(state, lab, args[1:])
			if err != nil {
				return err
			}
			if !ok {
				a.screen(a.Out).Note(fmt.Sprintf("Every case of lab %s has passed. `checker hint %d CASE` shows the hints of one all the same.", lab.Dir, lab.Number))
				return nil
			}
			a.screen(a.Out).Hint(lab, c, oneMore(state, lab, c))
			a.save(state)
			return nil
		},
	}
}

// oneMore counts one more hint of a case as shown, and returns how many that are.
func oneMore(state *progress.State, lab catalog.Lab, c conform.Meta) int {
	if state == nil {
		return 1
	}
	n := min(state.Hints(lab.Dir, c.Name)+1, len(c.Hint))
	state.Hinted(lab.Dir, c.Name, n)
	return n
}

// hinted is the case named, or else the first that has not passed; false if there is none.
func hinted(state *progress.State, lab catalog.Lab, args []string) (conform.Meta, bool, error) {
	if len(args) > 0 {
		c, err := lab.Case(args[0])
		return c, err == nil, err
	}
	c, ok := openCase(state, lab)
	return c, ok, nil
}
