// Package cli is the checker's command line: one file per command, and each
// command is parse, call, render.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// The exit codes. They are documented in the README and by `checker --help`.
const (
	exitPassed      = 0   // every case passed
	exitFailed      = 1   // some case did not
	exitUsage       = 2   // the command makes no sense
	exitBroken      = 3   // the checker, or the machine, failed
	exitInterrupted = 130 // Ctrl-C
)

// errFailed is returned by a command that has done its work and whose answer is no. The
// command has said everything there is to say.
var errFailed = errors.New("some case failed")

// errBroken is returned by a command that could not do its work, and has said why.
var errBroken = errors.New("the checker failed")

// usageError says that the command makes no sense.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Main runs one command and returns its exit code. Ctrl-C ends what runs and
// leaves no process and no temporary file behind.
func Main(args []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{Streams: streams}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil && err != nil {
		a.screen(streams.Err).Problem("interrupted", "")
		return exitInterrupted
	}
	return a.report(err)
}

// report writes what went wrong, if anything, and returns the exit code.
func (a *app) report(err error) int {
	var unknown *catalog.UnknownError
	var usage usageError
	switch {
	case err == nil:
		return exitPassed
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.Is(err, errBroken):
		return exitBroken
	case errors.As(err, &unknown) && unknown.What == "case":
		a.screen(a.Err).Problem(err.Error(), caseNames(unknown.In))
		return exitUsage
	case errors.As(err, &usage), errors.As(err, &unknown):
		a.screen(a.Err).Problem(err.Error(), "checker --help lists the commands, checker list the labs.")
		return exitUsage
	}
	if errors.Is(err, errOutside) {
		a.screen(a.Err).Problem(err.Error()+".", "Change into your clone of controllerbook and try again.")
		return exitUsage
	}
	message, help := diagnose(err)
	a.screen(a.Err).Problem(message, help)
	return exitBroken
}

// caseNames lists the cases of a lab.
func caseNames(dir string) string {
	lab, err := catalog.Find(dir)
	if err != nil {
		return ""
	}
	var names []string
	for _, c := range lab.Cases {
		names = append(names, c.Name)
	}
	return "The cases of " + lab.Dir + ": " + strings.Join(names, ", ") + "."
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "checker",
		Short: "run the labs of controllerbook and learn from the verdicts",
		Long: `checker runs the hidden tests of a lab against your code, under the race
detector and with goroutine-leak and deadlock detection, and says what went wrong.

Exit codes: 0 every case passed · 1 some case failed · 2 bad usage ·
3 the checker or the machine failed · 130 interrupted`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().BoolVar(&a.noColor, "no-color", false, "no colours (also: the NO_COLOR variable)")
	root.PersistentFlags().BoolVar(&a.ascii, "ascii", false, "plain ASCII, for terminals without Unicode")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		newRun(a), newWatch(a), newPlay(a), newList(a), newNext(a), newHint(a), newReset(a), newReport(a), newTrace(a), newStress(a), newDoctor(a), newBusy(a),
	)
	root.AddCommand(teaching(a)...)
	root.InitDefaultCompletionCmd()
	checkArgs(root)
	return root
}

// checkArgs makes every argument error of cobra's a usage error of ours.
func checkArgs(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		checkArgs(c)
	}
	args := cmd.Args
	if args == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		if err := args(cmd, given); err != nil {
			return usageError{err}
		}
		return nil
	}
}
