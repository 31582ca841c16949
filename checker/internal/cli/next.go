package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func newNext(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "next",
		Short: "what to do next: one lab, one case, one function",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := findRoot()
			if err != nil {
				return err
			}
			state := a.loadProgress(root)
			screen := a.screen(a.Out)
			for _, lab := range catalog.Labs() {
				if c, ok := open(state, lab); ok {
					screen.Next(lab, c, fmt.Sprintf("make lab-%d", lab.Number))
					return nil
				}
			}
			screen.Note("Every case of every lab has passed.")
			return nil
		},
	}
}

// open is the first case of a lab that has not passed.
func open(state *progress.State, lab catalog.Lab) (conform.Meta, bool) {
	for _, c := range lab.Cases {
		if state == nil || state.Verdict(lab.Dir, c.Name) != verdict.Pass {
			return c, true
		}
	}
	return conform.Meta{}, false
}
