package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/faults"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// faultScreens is a directory for what learners would read who made the seeded mistakes:
// NN-lab/FAULT.txt in it is the screen of one. The empty name wants no screens.
type faultScreens string

// prepare makes room for the screens of checks: those of an earlier run are removed, and
// of a lab that is proved as a whole those of faults that it has no more. A directory that
// holds anything but screens is left as it is.
func (d faultScreens) prepare(whole []catalog.Lab, checks []faults.Check) error {
	if d == "" {
		return nil
	}
	if err := d.holdsOnlyScreens(); err != nil {
		return usageError{fmt.Errorf("--screens %s: %w", string(d), err)}
	}
	var old, dirs []string
	for _, lab := range whole {
		old = append(old, filepath.Join(string(d), lab.Dir))
	}
	for _, c := range checks {
		if c.Fault != "" {
			old = append(old, d.path(c))
			dirs = append(dirs, filepath.Dir(d.path(c)))
		}
	}
	for _, name := range old {
		if err := os.RemoveAll(name); err != nil {
			return usageError{fmt.Errorf("--screens %s: %w", string(d), err)}
		}
	}
	for _, name := range slices.Compact(dirs) {
		if err := os.MkdirAll(name, 0o755); err != nil {
			return usageError{fmt.Errorf("--screens %s: %w", string(d), err)}
		}
	}
	return nil
}

// holdsOnlyScreens says what is in the directory that is no screen. It need not exist.
func (d faultScreens) holdsOnlyScreens() error {
	root := string(d)
	return filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case name == root && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case name == root && !e.IsDir():
			return errors.New("it is no directory")
		case e.IsDir() && (name == root || filepath.Dir(name) == root && isLab(e.Name())):
			return nil
		case e.Type().IsRegular() && filepath.Dir(name) != root && filepath.Ext(name) == ".txt":
			return nil
		}
		return fmt.Errorf("it holds %s, which is no screen of a fault", filepath.Base(name))
	})
}

func isLab(dir string) bool {
	return slices.ContainsFunc(catalog.Labs(), func(l catalog.Lab) bool { return l.Dir == dir })
}

// path is the file of a fault's screen.
func (d faultScreens) path(c faults.Check) string {
	return filepath.Join(string(d), c.Lab.Dir, c.Fault+".txt")
}

// write writes the screen of a check that is about a fault and came to a result.
func (d faultScreens) write(root string, check faults.Check, r outcome.Result) error {
	if d == "" || r.Case == "" {
		return nil
	}
	c, err := check.Lab.Case(r.Case)
	if err != nil {
		return err
	}
	s, err := check.Subject(root)
	if err != nil {
		return err
	}
	if err := os.WriteFile(d.path(check), screenOf(s, c, r), 0o644); err != nil {
		return fmt.Errorf("write the screen of a fault: %w", err)
	}
	return nil
}

// screenOf is what run prints of one case, without colour and 80 columns wide.
func screenOf(s subject.Subject, c conform.Meta, r outcome.Result) []byte {
	var text bytes.Buffer
	screen := render.New(&text, render.Options{})
	j := judge.Judgement{Results: []outcome.Result{r}}
	screen.LabStart(s.Lab)
	screen.CaseLine(c, r)
	showDetails(screen, s, j, []conform.Meta{c}, runOptions{})
	screen.LabEnd(s.Lab, j.Results, after(s.Lab))
	return text.Bytes()
}
