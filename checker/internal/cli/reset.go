package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

func newReset(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "reset LAB",
		Short: "put the stub of a lab back, and keep your code aside",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := findRoot()
			if err != nil {
				return err
			}
			lab, err := catalog.Find(args[0])
			if err != nil {
				return err
			}
			backup, err := reset(root, lab, time.Now())
			if err != nil {
				return err
			}
			state := a.loadProgress(root)
			if state != nil {
				state.Forget(lab.Dir)
			}
			a.save(state)
			screen := a.screen(a.Out)
			screen.Note("The stub of lab " + lab.Dir + " is back in " + lab.LabPath() + ".")
			if backup != "" {
				screen.Note("Your code is kept in " + short(root, backup) + ".")
			}
			return nil
		},
	}
}

// reset restores the stub files. What stood there is copied aside first, and
// nothing is overwritten before the whole copy is on disk.
func reset(root string, lab catalog.Lab, now time.Time) (backup string, err error) {
	dir := filepath.Join(root, filepath.FromSlash(lab.LabPath()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("reset %s: %w", lab.Dir, err)
	}
	backup, err = keep(root, dir, lab, now)
	if err != nil {
		return "", fmt.Errorf("keep your code of %s: %w", lab.Dir, err)
	}
	for _, f := range lab.Files {
		stub, err := lab.Stub(f)
		if err != nil {
			return "", err
		}
		if err := atomicfile.WriteBytes(filepath.Join(dir, f), stub); err != nil {
			return "", fmt.Errorf("reset %s: %w", lab.Dir, err)
		}
	}
	return backup, nil
}

// keep copies the lab's files aside and returns where to, "" if there were none.
func keep(root, dir string, lab catalog.Lab, now time.Time) (string, error) {
	parent := filepath.Join(root, ".controllerbook", "backup")
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	backup, err := os.MkdirTemp(parent, lab.Dir+"-"+now.Format("20060102-150405-"))
	if err != nil {
		return "", err
	}
	kept := 0
	for _, f := range lab.Files {
		switch err := keepFile(filepath.Join(dir, f), filepath.Join(backup, f)); {
		case err == nil:
			kept++
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	if kept == 0 {
		return "", os.Remove(backup)
	}
	return backup, nil
}

// keepFile copies a file aside. Whatever else stands in its place, a directory or a
// link, is moved: the stub could not be written over it.
func keepFile(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return os.Rename(from, to)
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(to, text)
}
