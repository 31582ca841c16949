package gotest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/overlay"
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

// run calls the go command with further flags and returns what it says. Without -ldflags=-w the
// linker writes debug information that nobody reads; with -trimpath stacks name
// files from the root of the workbook.
func (w *workspace) run(ctx context.Context, out string, t target, flags ...string) (string, error) {
	common := []string{t.verb, "-trimpath", "-ldflags=-w", "-buildvcs=false", "-overlay=" + w.overlayFile(), "-o", out}
	last := slices.Concat(t.flags, flags, []string{"./" + t.pkg})
	text, err := w.goCommand(ctx, slices.Concat(common, t.extra, last))
	if err != nil && strings.Contains(text, "maymorestack") {
		// An undocumented flag of the compiler: without it fewer schedules are met.
		text, err = w.goCommand(ctx, slices.Concat(common, last))
	}
	return text, err
}

// goCommand calls the go command and returns what it says.
func (w *workspace) goCommand(ctx context.Context, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = w.root
	cmd.Env = w.env()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// env is the environment of the go command: the user's, less what would change the
// build. The experiment makes the runtime find leaked goroutines; it is asked for
// only where this compiler knows it.
func (w *workspace) env() []string {
	env := append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=1", "GOTMPDIR="+w.dir)
	if strings.HasPrefix(runtime.Version(), "go1.26") {
		env = append(env, "GOEXPERIMENT=goroutineleakprofile")
	}
	return env
}
