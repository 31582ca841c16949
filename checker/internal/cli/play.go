package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/tty"
)

// live is the program that play starts.
const live = "checker/internal/play/live"

func newPlay(a *app) *cobra.Command {
	var reference []string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "run the control plane made of your own labs, live",
		Long: `play puts your labs together into a control plane with six simulated nodes and shows
it at work in the terminal, which must have 80 columns and 24 lines at least. Keys
scale the app, roll it out, switch nodes off, cut watches and kill controllers.
q or Ctrl-C ends it and leaves nothing behind.`,
		Example: "  checker play\n  checker play --reference 10,14\n  checker play --reference all",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.play(cmd.Context(), reference)
		},
	}
	cmd.Flags().StringSliceVar(&reference, "reference", nil, "use the reference in place of these labs of yours, or of all: 10,14")
	return cmd
}

func (a *app) play(ctx context.Context, reference []string) error {
	in, out, ok := a.tty()
	if !ok {
		return usageError{errors.New("play needs a terminal to draw on and keys to read")}
	}
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	s, err := assembled(w.Root, reference)
	if err != nil {
		return err
	}
	screen := a.screen(a.Out)
	screen.Note("Putting your labs together …")
	program, err := w.BuildProgram(ctx, s, live)
	var broken *gotest.CompileError
	if errors.As(err, &broken) {
		screen.CaseDetail(explain.Compile(broken.Text))
		return errFailed
	}
	if err != nil {
		return err
	}
	said, err := a.perform(ctx, program.Path, in, out)
	if said == "" || ctx.Err() != nil {
		return err
	}
	if !crashed(said) {
		screen.Problem(strings.TrimSpace(said)+".", "")
		return errFailed
	}
	meta := conform.Meta{Name: "play"}
	screen.CaseDetail(explain.Case(meta, program.Crash(meta, said)))
	return errFailed
}

// assembled is the learner's code of the lab that is made of the others.
func assembled(root string, reference []string) (subject.Subject, error) {
	labs := catalog.Labs()
	i := slices.IndexFunc(labs, func(l catalog.Lab) bool { return l.Wiring != "" })
	if i < 0 {
		return subject.Subject{}, errors.New("no lab puts the others together")
	}
	s, err := subject.Learner(root, labs[i])
	if err != nil {
		return s, err
	}
	if slices.Contains(reference, "all") { // of the lab itself, too
		return subject.Solution(root, labs[i])
	}
	return withReference(s, reference)
}

// perform runs the program on the terminal, in raw mode, and returns what it wrote to
// standard error. Afterwards the terminal is as it was, however the program ended.
func (a *app) perform(ctx context.Context, program string, in, out *os.File) (string, error) {
	restore, err := tty.Raw(in)
	if err != nil {
		return "", err
	}
	defer restore()
	said := &head{room: 256 << 10}
	cmd := exec.CommandContext(ctx, program, a.drawing(out)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		tty.Leave(out) // the program may have crashed before it did
		return said.String(), nil
	}
	return "", err
}

// drawing is the flags that make the program draw as a.screen does.
func (a *app) drawing(out *os.File) []string {
	var args []string
	if a.colored(out) {
		args = append(args, "--color")
	}
	if a.ascii {
		args = append(args, "--ascii")
	}
	return args
}

func crashed(said string) bool {
	return strings.Contains(said, "panic: ") || strings.Contains(said, "fatal error: ")
}

// head keeps the beginning of what is written to it.
type head struct {
	bytes.Buffer
	room int
}

func (h *head) Write(p []byte) (int, error) {
	keep := min(len(p), h.room)
	h.room -= keep
	h.Buffer.Write(p[:keep])
	return len(p), nil
}
