package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
)

func newNext(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "next",
		Short: "what to do next: one lab, one case, one function",
		Long: `next names the first case that has not passed of the lab that you worked on last,
or of the labs after it. Labs that you left out come when the end is reached.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := findRoot()
			if err != nil {
				return err
			}
			state := a.loadProgress(root)
			screen := a.screen(a.Out)
			lab, ok := nextLab(state)
			if !ok {
				screen.Note("Every case of every lab has passed.")
				return nil
			}
			c, _ := openCase(state, lab)
			screen.Next(lab, c, fmt.Sprintf("make lab-%d", lab.Number))
			return nil
		},
	}
}

// nextLab is the lab to go on with: the first that is not done, from the one that was worked on
// last to the end of the book and then from its beginning. It is false if all are done.
func nextLab(state *progress.State) (catalog.Lab, bool) {
	labs := catalog.Labs()
	at := lastWorkedOn(state, labs)
	for i := range labs {
		lab := labs[(at+i)%len(labs)]
		if _, ok := openCase(state, lab); ok {
			return lab, true
		}
	}
	return catalog.Lab{}, false
}

// lastWorkedOn is the index of the lab that was worked on last. In a progress file that
// does not say so yet, it is the last lab with a case that passed.
func lastWorkedOn(state *progress.State, labs []catalog.Lab) int {
	at := 0
	if state == nil {
		return at
	}
	for i, lab := range labs {
		if lab.Dir == state.Last() {
			return i
		}
		if passed(state, lab) > 0 {
			at = i
		}
	}
	return at
}

// openCase is the case of a lab to go on with: the one that a screen of the last results begins
// with. A case that was never graded comes after those that have failed.
func openCase(state *progress.State, lab catalog.Lab) (conform.Meta, bool) {
	results := make([]outcome.Result, len(lab.Cases))
	if state != nil {
		for i, c := range lab.Cases {
			results[i].Verdict = state.Verdict(lab.Dir, c.Name)
		}
	}
	if i := explain.First(lab.Cases, results); i >= 0 {
		return lab.Cases[i], true
	}
	return conform.Meta{}, false
}
