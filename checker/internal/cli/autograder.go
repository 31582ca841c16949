package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/autograder"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/export"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

func newAutograder(a *app) *cobra.Command {
	var labs []string
	var o autograder.Options
	cmd := &cobra.Command{
		Use:   "gradescope-autograder OUT.zip --lab LAB",
		Short: "the zip to upload to Gradescope as an autograder",
		Long: `gradescope-autograder packs the checker with its hidden tests, and the scripts that
Gradescope runs: setup.sh builds the checker in the image and puts the reference to the
tests, run_autograder grades one submission.

If Gradescope's machine offers no sandbox, run_autograder says so and grades nothing.
--sandbox=none grades all the same: the container, which Gradescope makes anew for each
submission, is then all there is between a submission and the hidden tests.`,
		Example: "  checker export gradescope-autograder lab-1.zip --lab 1",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.autograder(args[0], labs, o)
		},
	}
	cmd.Flags().StringSliceVar(&labs, "lab", nil, "a lab to grade (needed; may be given again)")
	cmd.Flags().StringVar(&o.Sandbox, "sandbox", "auto", "how submissions are confined: "+strings.Join(sandbox.Modes(), ", "))
	cmd.Flags().StringVar(&o.Hidden, "hidden", "visible", hiddenUsage)
	complete(cmd, "sandbox", sandbox.Modes()...)
	complete(cmd, "hidden", export.Visibilities...)
	return cmd
}

func (a *app) autograder(out string, labs []string, o autograder.Options) error {
	for _, name := range labs {
		lab, err := catalog.Find(name)
		if err != nil {
			return err
		}
		o.Labs = append(o.Labs, lab)
	}
	switch {
	case len(o.Labs) == 0:
		return usageError{fmt.Errorf("--lab is needed: %w", autograder.ErrNoLabs)}
	case !slices.Contains(sandbox.Modes(), o.Sandbox):
		return usageError{fmt.Errorf("--sandbox is one of %s, not %q", strings.Join(sandbox.Modes(), ", "), o.Sandbox)}
	}
	if err := checkHidden(o.Hidden); err != nil {
		return err
	}
	root, err := findRoot()
	if err != nil {
		return err
	}
	o.Root = root
	if err := atomicfile.Write(out, func(w io.Writer) error { return autograder.Write(w, o) }); err != nil {
		return err
	}
	a.screen(a.Out).Note("Upload " + out + " in Gradescope under Configure Autograder, and test it with the reference in solutions/" + o.Labs[0].Dir + ".")
	return nil
}
