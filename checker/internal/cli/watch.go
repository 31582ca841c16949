package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/watch"
)

func newWatch(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "watch [LAB]",
		Short: "grade a lab again each time you save",
		Long: `watch grades LAB each time you save one of its files. Without LAB it takes the lab that
run would take. On a terminal it has the whole screen, and keys:

  h       one more hint for the first case that has not passed
  n       what to do next; in a lab whose cases have all passed, go on with the next lab
  l       all labs, their points, and how far you are
  a       grade all labs that you have begun
  r       the original text of the runtime and the race detector
  o       write the report of the last verdict, as report does, and say where it is
  esc     back to the verdict
  q       quit; Ctrl-C does, too

A save that changes nothing shows the verdict that is known, and its time.

Arrows, space, page up and page down, home and end move a text that is longer than the
screen. Where there is no terminal, watch prints what run prints, each time.`,
		Example: "  checker watch 1",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.watch(cmd.Context(), args)
		},
	}
}

// watch runs until q or Ctrl-C, which is how it is meant to end.
func (a *app) watch(ctx context.Context, args []string) error {
	root, err := findRoot()
	if err != nil {
		return err
	}
	labs, err := choose(root, a.loadProgress(root), args)
	if err != nil {
		return err
	}
	if in, out, ok := a.tty(); ok {
		return a.newSession(root, out).run(ctx, labs[0], in, out)
	}
	err = watch.Dir(ctx, watched(root, labs[0]), a.printing(labs[0]), nil)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// watched is the directory of a lab's files.
func watched(root string, lab catalog.Lab) string {
	return filepath.Join(root, filepath.FromSlash(lab.LabPath()))
}

// printing grades a lab as run does, time after time.
func (a *app) printing(lab catalog.Lab) watch.Job {
	again := false
	return func(ctx context.Context) {
		screen := a.screen(a.Out)
		if again {
			screen.Section("again")
		}
		again = true
		err := a.run(ctx, []string{lab.Dir}, runOptions{subject: "learner", seed: newSeed(), stability: 1})
		if ctx.Err() != nil {
			return
		}
		if err != nil && !errors.Is(err, errFailed) {
			message, help := diagnose(err)
			screen.Problem(message, help)
		}
		screen.Note("Watching " + lab.LabPath() + ": save a file to grade it again, Ctrl-C to stop.")
	}
}
