// Package handout makes the students' copy of the workbook: lessons, stubs, and the
// checker with the public cases only.
//
// It copies nothing that it does not have to. It follows the checker's source from its main
// function. Without the hidden cases and the teachers' commands nothing calls some
// declarations: these are left out, with their comments. The rest is searched for every
// hidden name and sentence, built, and searched again. Only a tree that passes is moved to
// its place.
package handout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

// ErrInUse is returned by Write when there is something at Out already.
var ErrInUse = errors.New("is there already and is not an empty directory")

// Options say what to make of what.
type Options struct {
	Root     string   // the workbook
	Out      string   // where the handout goes: nothing must be there, or an empty directory
	Commands []string // the commands that a student's checker says it does not have
}

// Summary says what was made.
type Summary struct {
	Labs, Files                        int
	Public, Hidden                     int // cases
	PublicPoints, HiddenPoints, Faults int
}

// A LeakError says that the handout would give away a secret. Nothing was written then.
type LeakError struct{ Leaks []Leak }

func (e *LeakError) Error() string {
	var lines []string
	for _, l := range e.Leaks {
		lines = append(lines, l.String())
	}
	return "the handout would give something away:\n" + strings.Join(lines, "\n")
}

// Write makes a handout. It blocks for a build. Out appears whole or not at all.
func Write(ctx context.Context, o Options) (Summary, error) {
	if err := free(o.Out); err != nil {
		return Summary{}, err
	}
	tree, err := build(o)
	if err != nil {
		return Summary{}, err
	}
	secrets, err := collect(o.Root)
	if err != nil {
		return Summary{}, err
	}
	if leaks := secrets.Search(tree); len(leaks) > 0 {
		return Summary{}, &LeakError{leaks}
	}
	if err := os.MkdirAll(filepath.Dir(o.Out), 0o755); err != nil {
		return Summary{}, fmt.Errorf("make the handout: %w", err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(o.Out), ".handout-")
	if err != nil {
		return Summary{}, fmt.Errorf("make the handout: %w", err)
	}
	defer os.RemoveAll(temp)
	if err := deliver(ctx, tree, secrets, temp, o.Out); err != nil {
		return Summary{}, err
	}
	return summary(tree, secrets), nil
}

// deliver writes the tree beside its place, tries it, and moves it there.
func deliver(ctx context.Context, t tree, s *Secrets, temp, out string) error {
	book := filepath.Join(temp, "book")
	if err := t.write(book); err != nil {
		return fmt.Errorf("make the handout: %w", err)
	}
	binary := filepath.Join(temp, "checker")
	if err := try(ctx, book, binary); err != nil {
		return err
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("read the handout's checker: %w", err)
	}
	if leaks := s.SearchBinary("checker", text); len(leaks) > 0 {
		return &LeakError{leaks}
	}
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) { // empty, or free would have said so
		return fmt.Errorf("make the handout: %w", err)
	}
	if err := os.Rename(book, out); err != nil {
		return fmt.Errorf("make the handout: %w", err)
	}
	return nil
}

// free returns ErrInUse unless there is nothing at out, or an empty directory.
func free(out string) error {
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil || len(entries) > 0:
		return fmt.Errorf("%s %w", out, ErrInUse)
	}
	return nil
}

// try builds the handout's checker, and all of its tests: a student has to be able to.
func try(ctx context.Context, book, binary string) error {
	for _, args := range [][]string{
		{"build", "-buildvcs=false", "-o", binary, "./checker"},
		{"vet", "./..."},
	} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = book
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+book, "GOTMPDIR="+filepath.Dir(binary))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("the handout does not pass go %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}

// tree is a handout in memory: contents by slash-separated path.
type tree map[string][]byte

func (t tree) paths() []string {
	var paths []string
	for p := range t {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

func (t tree) write(dir string) error {
	for _, p := range t.paths() {
		name := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, t[p], 0o644); err != nil {
			return err
		}
	}
	return nil
}

func summary(t tree, secrets *Secrets) Summary {
	s := Summary{Files: len(t), Faults: secrets.faults}
	for _, lab := range suites.All() {
		w := withheldOf(lab)
		s.Labs++
		s.Hidden += w.Cases
		s.HiddenPoints += w.Points
		s.Public += len(lab.Cases) - w.Cases
		s.PublicPoints += lab.Max() - w.Points
	}
	return s
}

// withheldOf counts the hidden cases of a lab.
func withheldOf(lab catalog.Lab) catalog.Withheld {
	var w catalog.Withheld
	for _, c := range lab.Cases {
		if !c.Public {
			w.Cases++
			w.Points += c.Points
		}
	}
	return w
}
