package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/watch"
)

func newWatch(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "watch [LAB]",
		Short: "grade a lab again each time you save",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.watch(cmd.Context(), args)
		},
	}
}

// watch runs until Ctrl-C, which is how it is meant to end.
func (a *app) watch(ctx context.Context, args []string) error {
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	closeAll() // each run makes its own
	labs, err := choose(w, args)
	if err != nil {
		return err
	}
	dir := filepath.Join(w.Root, filepath.FromSlash(labs[0].LabPath()))
	err = watch.Dir(ctx, dir, func(ctx context.Context) {
		screen := a.screen(a.Out)
		screen.Clear()
		err := a.run(ctx, []string{labs[0].Dir}, runOptions{subject: "learner", seed: newSeed(), stability: 1})
		if ctx.Err() != nil {
			return
		}
		if err != nil && !errors.Is(err, errFailed) {
			message, help := diagnose(err)
			screen.Problem(message, help)
		}
		screen.Note("Watching " + labs[0].LabPath() + ": save a file to grade it again, Ctrl-C to stop.")
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}
