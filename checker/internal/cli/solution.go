package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

func newSolution(a *app) *cobra.Command {
	var spoil bool
	cmd := &cobra.Command{
		Use:   "solution LAB",
		Short: "the reference solution, once yours has passed",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := findRoot()
			if err != nil {
				return err
			}
			lab, err := catalog.Find(args[0])
			if err != nil {
				return err
			}
			if n := passed(a.loadProgress(root), lab); n < len(lab.Cases) && !spoil {
				a.screen(a.Err).Problem(
					fmt.Sprintf("%d of %d cases of lab %s have passed; the solution is shown when all have.", n, len(lab.Cases), lab.Dir),
					fmt.Sprintf("checker hint %d gives a nudge; --spoil shows the solution all the same.", lab.Number))
				return errFailed
			}
			return a.printSolution(root, lab)
		},
	}
	cmd.Flags().BoolVar(&spoil, "spoil", false, "show it although your code has not passed")
	return cmd
}

func (a *app) printSolution(root string, lab catalog.Lab) error {
	for _, f := range lab.Files {
		name := filepath.Join(root, filepath.FromSlash(lab.SolutionPath()), f)
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return usageError{fmt.Errorf("this copy of the workbook has no solutions")}
		}
		if err != nil {
			return err
		}
		if len(lab.Files) > 1 {
			a.screen(a.Out).Note(lab.SolutionPath() + "/" + f)
		}
		if _, err := a.Out.Write(text); err != nil {
			return err
		}
	}
	return nil
}
