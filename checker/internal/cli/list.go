package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func newList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "all labs, their points, and how far you are",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := findRoot()
			if err != nil {
				return err
			}
			list(a.screen(a.Out), a.loadProgress(root))
			return nil
		},
	}
}

// list writes all labs and how far the learner is.
func list(screen *render.Screen, state *progress.State) {
	var rows []render.Row
	for _, lab := range catalog.Labs() {
		rows = append(rows, row(lab, state))
	}
	next := ""
	if lab, ok := nextLab(state); ok {
		next = fmt.Sprintf("make lab-%d", lab.Number)
	}
	screen.List(rows, next)
}

func row(lab catalog.Lab, state *progress.State) render.Row {
	r := render.Row{Lab: lab, Max: lab.Max(), State: render.NotStarted}
	seen := 0
	for _, c := range lab.Cases {
		if state == nil {
			continue
		}
		v := state.Verdict(lab.Dir, c.Name)
		if v == verdict.Pass {
			r.Points += c.Points
		}
		if v != "" && v != verdict.NotImplemented {
			seen++
		}
	}
	switch {
	case r.Points == r.Max:
		r.State = render.Done
	case seen > 0:
		r.State = render.InProgress
	}
	return r
}
