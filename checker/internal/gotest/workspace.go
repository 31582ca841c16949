package gotest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/buildplan"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/overlay"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

// workspace is the directory of one build, with the sources of an overlay in it.
type workspace struct {
	root   string // the repository
	dir    string
	layout overlay.Layout
}

// newWorkspace writes the files of an overlay to a new directory below parent.
func (k *Kit) newWorkspace(parent string, set overlay.Set) (*workspace, error) {
	dir, err := os.MkdirTemp(parent, "build-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the build: %w", err)
	}
	w := &workspace{root: k.Root, dir: dir}
	if w.layout, err = set.Layout(k.Root, dir); err == nil {
		err = w.write()
	}
	if err != nil {
		w.remove()
		return nil, fmt.Errorf("write the overlay: %w", err)
	}
	return w, nil
}

func (w *workspace) remove() { _ = os.RemoveAll(w.dir) }

func (w *workspace) overlayFile() string { return filepath.Join(w.dir, "overlay.json") }

func (w *workspace) write() error {
	for name, content := range w.layout.Files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(w.overlayFile(), w.layout.JSON, 0o600)
}

// run calls the go command with further flags and returns what it says. Without -ldflags=-s the
// linker writes debug information and a symbol table that nobody reads; with -trimpath
// stacks name files from the root of the workbook.
func (w *workspace) run(ctx context.Context, out string, t target, flags ...string) (string, error) {
	common := []string{"build", "-trimpath", "-ldflags=-s", "-buildvcs=false", "-overlay=" + w.overlayFile(), "-o", out}
	last := append(slices.Clone(flags), "./"+t.pkg)
	text, err := w.goCommand(ctx, slices.Concat(common, t.flags, t.extra, last))
	if err != nil && strings.Contains(text, "maymorestack") {
		// An undocumented flag of the compiler: without it cases meet fewer schedules.
		text, err = w.goCommand(ctx, slices.Concat(common, t.flags, last))
	}
	return text, err
}

// goWall bounds the go command, which with nothing compiled yet calls the compiler
// hundreds of times, and may download modules first.
const goWall = 20 * time.Minute

// goCommand calls the go command and returns what it says. It has the limits of a build,
// and so has each tool that it calls. The error is a *goError where the command failed.
func (w *workspace) goCommand(ctx context.Context, args []string) (string, error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", err
	}
	limits := buildplan.Limits
	limits.Wall = goWall
	r, err := sandbox.Run(ctx, sandbox.Command{
		Path: tool, Args: args, Dir: w.root, Env: w.env(),
		Limits: limits, Isolation: sandbox.Isolation{Mode: sandbox.None},
	})
	text := string(r.Stdout) + string(r.Stderr)
	if err == nil && (r.Exit != 0 || r.Signal != "" || r.Flooded) {
		err = &goError{exit: r.Exit, signal: r.Signal, limit: buildplan.Exhausted(r, text)}
	}
	return text, err
}

// goError says how the go command failed.
type goError struct {
	exit   int
	signal string
	limit  outcome.Exhausted // that the code met, "" for none
}

func (e *goError) Error() string {
	if e.signal != "" {
		return "it was ended by a signal: " + e.signal
	}
	return fmt.Sprintf("it ended with %d", e.exit)
}

// env is the environment of the go command.
func (w *workspace) env() []string { return append(environment(), "GOTMPDIR="+w.dir, buildplan.GC) }

// environment is the user's, less what would change the build. The experiment makes the
// runtime find leaked goroutines; it is asked for only where this compiler knows it.
func environment() []string {
	env := append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=1")
	if strings.HasPrefix(runtime.Version(), "go1.26") {
		env = append(env, "GOEXPERIMENT=goroutineleakprofile")
	}
	return env
}

// settings are what the go command calls all that a build follows from beside the sources.
var settings = []string{
	"GOVERSION", "GOROOT", "GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64", "GOEXPERIMENT", "GODEBUG", "GOFIPS140",
	"CC", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_LDFLAGS",
}

// Settings stands for the toolchain that builds, and for how it is set up. It blocks for the
// go command, which makes a directory of its own to ask for the flags of cgo.
func (k *Kit) Settings(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"env"}, settings...)...)
	cmd.Dir, cmd.Env = k.Root, append(environment(), "GOTMPDIR="+k.Temp)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ask the go command for its settings: %w", err)
	}
	return string(out), nil
}
