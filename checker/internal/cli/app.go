package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
	"github.com/controllerbook/controllerbook/checker/internal/render"
)

// app is what all commands share.
type app struct {
	Streams
	noColor bool
	ascii   bool
}

// screen writes to w as the user wants it: colour only on a terminal, and only
// where neither --no-color nor NO_COLOR (https://no-color.org) asks for none.
func (a *app) screen(w io.Writer) *render.Screen {
	width, tty := terminal(w)
	return render.New(w, render.Options{
		Color: a.colored(w),
		ASCII: a.ascii,
		Width: width,
		Live:  tty,
	})
}

// colored reports whether what is written to w may have colours.
func (a *app) colored(w io.Writer) bool {
	_, tty := terminal(w)
	return tty && !a.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// terminal is the width of the terminal that w is, or 80 where it is none.
func terminal(w io.Writer) (width int, tty bool) {
	const usual, widest = 80, 100
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return usual, false
	}
	if n, _, err := term.GetSize(int(f.Fd())); err == nil && n >= 40 {
		return min(n, widest), true
	}
	return usual, true
}

// tty is the terminal to draw on and to read keys from. It is false if there is none: where
// input or output is something else, and where a terminal cannot move its cursor.
func (a *app) tty() (in, out *os.File, ok bool) {
	in, isFile := a.In.(*os.File)
	_, isTerminal := terminal(a.Out)
	if !isFile || !isTerminal || !term.IsTerminal(int(in.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil, nil, false
	}
	return in, a.Out.(*os.File), true
}

var errOutside = errors.New("this is not a controllerbook directory")

// findRoot is the repository around the working directory, spelt as $PWD spells
// it: the go command matches overlay paths by their spelling.
func findRoot() (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module "+catalog.Module+"\n") {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%w: there is no go.mod of %s in %s or above it", errOutside, catalog.Module, wd)
		}
	}
}

// workshop is a repository with a temporary directory of this run's own.
type workshop struct {
	*gotest.Kit
	state *progress.State // nil where it cannot be kept
}

// open finds the repository and makes the temporary directory. close removes it.
func (a *app) open() (w *workshop, closeAll func(), err error) {
	root, err := findRoot()
	if err != nil {
		return nil, nil, err
	}
	kit, closeAll, err := kitAt(root)
	if err != nil {
		return nil, nil, err
	}
	return &workshop{Kit: kit, state: a.loadProgress(root)}, closeAll, nil
}

// kitAt makes a temporary directory to build in what is at root. close removes it.
func kitAt(root string) (kit *gotest.Kit, closeAll func(), err error) {
	temp, err := os.MkdirTemp("", "controllerbook-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a temporary directory: %w", err)
	}
	return &gotest.Kit{Root: root, Temp: temp}, func() { _ = os.RemoveAll(temp) }, nil
}

// loadProgress reads the learner's progress. It reports a problem with the file and goes
// on without it: a verdict is worth more than its record.
func (a *app) loadProgress(root string) *progress.State {
	path := progress.Path(root)
	s, err := progress.Load(path)
	switch {
	case errors.Is(err, progress.ErrFuture):
		a.screen(a.Err).Problem(err.Error(), "It is left as it is, and nothing is recorded. Update the checker, or move "+short(root, path)+" away.")
		return nil
	case err != nil:
		a.screen(a.Err).Problem(err.Error(), "Nothing is recorded until it can be read.")
		return nil
	case s.Damage != "":
		a.screen(a.Err).Problem("The progress file "+s.Damage+".",
			"The lines that make sense are kept. The next run writes a new file and keeps this one as "+short(root, path)+".damaged.")
	}
	return s
}

// save writes the progress, if it can be.
func (a *app) save(s *progress.State) {
	if s == nil {
		return
	}
	if err := s.Save(); err != nil {
		message, help := diagnose(err)
		a.screen(a.Err).Problem(message, help)
	}
}

func short(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
