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
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
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

Your operator of lab 23 runs beside it, with a cloud that is slow and limits calls:
d makes a database, g grows it, D deletes it, o takes the cloud down and brings it
back. The operator is left out while its lab is as it was handed out.

q or Ctrl-C ends it and leaves nothing behind.`,
		Example: "  checker play\n  checker play --reference 10,23\n  checker play --reference all",
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
	s, flags, err := assembled(w.Root, reference)
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
	said, err := a.perform(exec.CommandContext(ctx, program.Path, append(flags, a.drawing(out)...)...), in, out)
	if said == "" || ctx.Err() != nil {
		return err
	}
	if !crashed(said) {
		screen.Problem(strings.TrimSpace(said)+".", "")
		return errFailed
	}
	meta := conform.Meta{Name: "play"}
	crash := program.Crash(meta, said)
	screen.CaseDetail(explain.Case(meta, crash))
	if part := partOf(s, crash.At.File); part != nil && crash.Verdict.Group() == verdict.NotBegun {
		screen.Note(unbuilt(part.Lab, "checker play"))
	}
	return errFailed
}

// operatorLab runs beside the lab that is made of the others.
const operatorLab = "23-operator"

// assembled is the learner's code of the lab that is made of the others and of the operator,
// and the flags of the program for it.
func assembled(root string, reference []string) (s subject.Subject, flags []string, err error) {
	labs := catalog.Labs()
	i := slices.IndexFunc(labs, func(l catalog.Lab) bool { return l.Wiring != "" })
	if i < 0 {
		return s, nil, errors.New("no lab puts the others together")
	}
	lab := labs[i]
	lab.Parts = append(slices.Clone(lab.Parts), operatorLab)
	if s, err = subject.Learner(root, lab); err != nil {
		return s, nil, err
	}
	if s, err = withReference(s, reference); err != nil {
		return s, nil, err
	}
	if slices.Contains(reference, "all") { // of the lab itself, too
		s, err = subject.Solution(root, lab)
		return s, nil, err
	}
	return withoutStub(s)
}

// withoutStub leaves the operator out where nobody has begun it: the lab before it asks for
// a look at the control plane, and there is nothing to run yet.
func withoutStub(s subject.Subject) (subject.Subject, []string, error) {
	i := slices.IndexFunc(s.Parts, func(part subject.Subject) bool { return part.Lab.Dir == operatorLab })
	if i < 0 {
		return s, nil, nil
	}
	untouched, err := s.Parts[i].Untouched()
	if err != nil || !untouched {
		return s, nil, err
	}
	return s.WithReference(operatorLab), []string{"--without-operator"}, nil
}

// perform runs the program on the terminal, in raw mode, and returns what it wrote to
// standard error. Afterwards the terminal is as it was, however the program ended.
func (a *app) perform(cmd *exec.Cmd, in, out *os.File) (string, error) {
	restore, err := tty.Raw(in)
	if err != nil {
		return "", err
	}
	defer restore()
	said := &head{room: 256 << 10}
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
