// Package autograder packs the workbook into what Gradescope wants: a zip with the
// scripts that it runs, and the checker's source, built there once for the machine
// that grades.
package autograder

import (
	"archive/zip"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

//go:embed files
var scripts embed.FS

// Options say what an autograder grades, and how.
type Options struct {
	Root    string        // the workbook
	Labs    []catalog.Lab // at least one
	Sandbox string        // as checker grade takes it
	Hidden  string        // when students see hidden cases, as checker export gradescope takes it
}

// ErrNoLabs is returned where Options name no lab.
var ErrNoLabs = errors.New("an autograder needs at least one lab")

// Write writes the zip. The same workbook and options give the same bytes.
func Write(w io.Writer, o Options) error {
	if len(o.Labs) == 0 {
		return ErrNoLabs
	}
	files, err := collect(o)
	if err != nil {
		return fmt.Errorf("pack the autograder: %w", err)
	}
	out := zip.NewWriter(w)
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	for _, f := range files {
		if err := f.write(out); err != nil {
			return fmt.Errorf("pack the autograder: %s: %w", f.name, err)
		}
	}
	return out.Close()
}

// file is one entry.
type file struct {
	name string
	text []byte
	mode fs.FileMode
}

func (f file) write(out *zip.Writer) error {
	h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.SetMode(f.mode)
	w, err := out.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = w.Write(f.text)
	return err
}

// source is where the workbook stands in the zip.
const source = "controllerbook"

// trees are what the checker is built from, and what grading needs beside it.
var trees = []string{"checker/internal", "checker/nudge", "labs", "solutions"}

func collect(o Options) ([]file, error) {
	files := []file{{"settings", []byte(settings(o)), 0o644}}
	for _, name := range []string{"setup.sh", "run_autograder"} {
		text, err := scripts.ReadFile("files/" + name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, text, 0o755})
	}
	for _, name := range []string{"go.mod", "go.sum", "checker/main.go"} {
		text, err := os.ReadFile(filepath.Join(o.Root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		files = append(files, file{path.Join(source, name), text, 0o644})
	}
	for _, tree := range trees {
		more, err := walk(o.Root, tree)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return pristine(files)
}

// settings is what the scripts read: shell, with words that need no quotes.
func settings(o Options) string {
	var labs []string
	for _, l := range o.Labs {
		labs = append(labs, l.Dir)
	}
	version, _, _ := strings.Cut(strings.TrimPrefix(runtime.Version(), "go"), " ")
	return fmt.Sprintf("GO_VERSION=%s\nLABS=%q\nSANDBOX=%s\nHIDDEN=%s\n", version, strings.Join(labs, " "), o.Sandbox, o.Hidden)
}

// walk reads the regular files of a tree. Hidden files and recorded test data stay
// behind: nothing that grades needs them.
func walk(root, tree string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(tree)), func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".")):
			return filepath.SkipDir
		case !e.Type().IsRegular() || strings.HasPrefix(e.Name(), "."):
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		files = append(files, file{path.Join(source, filepath.ToSlash(rel)), text, 0o644})
		return nil
	})
	return files, err
}

// pristine puts the stubs where the teacher may have tried a lab.
func pristine(files []file) ([]file, error) {
	stubs := map[string][]byte{}
	for _, l := range catalog.Labs() {
		for _, name := range l.Files {
			text, err := l.Stub(name)
			if err != nil {
				return nil, err
			}
			stubs[path.Join(source, l.LabPath(), name)] = text
		}
	}
	for i := range files {
		if text, ok := stubs[files[i].name]; ok {
			files[i].text = text
		}
	}
	return files, nil
}
