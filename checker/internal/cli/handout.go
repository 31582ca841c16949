package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/handout"
)

func newHandout(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "handout OUT",
		Short: "for teachers: the students' copy, without solutions and hidden cases",
		Long: `handout writes to OUT, which must not exist or be empty, what students get: the
lessons, the stubs, the kit, and the checker with the public cases of every lab.
It has no solution, no hidden case and no fault. Before OUT appears, handout searches
every file, and the checker built from them, for words of these.`,
		Example: "  checker handout ../course-2026",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.handout(cmd.Context(), args[0])
		},
	}
}

func (a *app) handout(ctx context.Context, out string) error {
	root, err := findRoot()
	if err != nil {
		return err
	}
	full, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	var commands []string
	for _, c := range teaching(a) {
		commands = append(commands, c.Name())
	}
	s, err := handout.Write(ctx, handout.Options{Root: root, Out: full, Commands: commands})
	if errors.Is(err, handout.ErrInUse) {
		return usageError{fmt.Errorf("%s %w", out, handout.ErrInUse)}
	}
	if err != nil {
		return err
	}
	screen := a.screen(a.Out)
	screen.Good(fmt.Sprintf("%s: %d files, %d labs with %d public cases (%d points)", out, s.Files, s.Labs, s.Public, s.PublicPoints))
	screen.Note(fmt.Sprintf("Left out: %d hidden cases (%d points), %d faults, every solution. Neither the files nor the checker built from them hold a name or a sentence of these.",
		s.Hidden, s.HiddenPoints, s.Faults))
	return nil
}
