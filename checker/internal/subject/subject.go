// Package subject knows where code under test comes from: the learner's tree, the
// stub, the reference, an alternative to it, a seeded fault or a submission. Each becomes
// the same thing: a set of sources, and the overlay that gives them to a suite.
package subject

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/digest"
	"github.com/controllerbook/controllerbook/checker/internal/overlay"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
)

// MaxFile is the largest source file that is read, in bytes.
const MaxFile = 256 << 10

// Subject is code that a lab's suite can test.
type Subject struct {
	Lab   catalog.Lab
	Path  string            // package directory relative to the root: "labs/01-goroutines"
	Files map[string][]byte // sources by base name; a lab file that is missing is not in it
	Extra []string          // further Go files beside them, which are not compiled
	Wrong map[string]string // lab files that are there and cannot be read, and why

	// Parts are the labs that this one is made of, where they are the learner's own;
	// the others are the reference's.
	Parts []Subject

	Lang string // the version of the language, where it is not the workbook's: "1.21"

	replace overlay.Set
	foreign bool // the bridge is in replace
}

// ImportPath is the subject's import path: the prefix of its functions on a stack.
func (s Subject) ImportPath() string { return catalog.Module + "/" + s.Path }

// Packages are the subject and its parts.
func (s Subject) Packages() []Subject { return append([]Subject{s}, s.Parts...) }

// Line is line n of a file of the subject or of one of its parts, "" if they have no such line.
// The file is a path from the root of the workbook.
func (s Subject) Line(file string, n int) string {
	for _, own := range s.Packages() {
		name, ours := strings.CutPrefix(file, own.Path+"/")
		if lines := strings.Split(string(own.Files[name]), "\n"); ours && 0 < n && n <= len(lines) {
			return lines[n-1]
		}
	}
	return ""
}

// Paths are the package directories of the subject and of its parts.
func (s Subject) Paths() []string {
	var paths []string
	for _, own := range s.Packages() {
		paths = append(paths, own.Path)
	}
	return paths
}

// ImportPaths are the import paths of the subject and of its parts.
func (s Subject) ImportPaths() []string {
	paths := s.Paths()
	for i, p := range paths {
		paths[i] = catalog.Module + "/" + p
	}
	return paths
}

// Identity stands for the sources of the subject and of its parts, and for how they are built.
func (s Subject) Identity() string {
	h := sha256.New()
	for _, own := range s.Packages() {
		fmt.Fprintf(h, "%q %q %q\n", own.Lab.Dir, own.Path, own.Lang)
		digest.Files(h, own.Files)
		for _, name := range slices.Sorted(maps.Keys(own.Wrong)) {
			fmt.Fprintf(h, "%q %q\n", name, own.Wrong[name])
		}
	}
	return string(h.Sum(nil))
}

// WithReference is the subject with the reference in the place of these parts.
func (s Subject) WithReference(dirs ...string) Subject {
	s.Parts = slices.DeleteFunc(slices.Clone(s.Parts), func(part Subject) bool {
		return slices.Contains(dirs, part.Lab.Dir)
	})
	return s
}

// With is the subject with a file of the checker's own replaced as well: what is given
// beside the labs may have a seeded mistake, too.
func (s Subject) With(file string, text []byte) Subject {
	s.replace = maps.Clone(s.replace)
	s.replace[file] = text
	return s
}

// Overlay is the set of replacements that gives the subject to its suite: each file of the
// bridge that imports the lab's solution imports the subject instead. If there are parts,
// the files that wire them import those, too.
func (s Subject) Overlay(root string) (overlay.Set, error) {
	set := overlay.Set{}
	if !s.foreign {
		if err := s.bridge(root, set); err != nil {
			return nil, err
		}
	}
	if s.Lab.Wiring != "" {
		if err := errors.Join(s.wire(root, set), s.pinParts(root, set)); err != nil {
			return nil, err
		}
	}
	for _, own := range s.Packages() {
		for p, content := range own.replace {
			set[p] = content
		}
	}
	return set, nil
}

// bridge adds the files of the lab's bridge that import the subject.
func (s Subject) bridge(root string, set overlay.Set) error {
	dir := filepath.Join(root, filepath.FromSlash(s.Lab.Bridge))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read the bridge of lab %s: %w", s.Lab.Dir, err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return fmt.Errorf("read the bridge of lab %s: %w", s.Lab.Dir, err)
		}
		if !bytes.Contains(text, s.bridged()) {
			continue
		}
		name := path.Join(s.Lab.Bridge, e.Name())
		if set[name], err = retarget(name, text, s); err != nil {
			return err
		}
	}
	if len(set) == 0 && s.Lab.Wiring == "" { // with a wiring the bridge may leave it to that, which is counted
		return fmt.Errorf("no file of %s imports %s", s.Lab.Bridge, s.bridged())
	}
	return nil
}

// Pins are the path and the text of the file that holds the exported declarations of own,
// which is the subject or one of its parts, to those of its stub.
func (s Subject) Pins(root string, own Subject) (file string, text []byte, err error) {
	text, err = os.ReadFile(filepath.Join(root, filepath.FromSlash(own.Lab.PinsDir()), catalog.PinsFile))
	if err != nil {
		return "", nil, fmt.Errorf("read the pins of lab %s: %w", own.Lab.Dir, err)
	}
	if own.Lab.Dir == s.Lab.Dir {
		return path.Join(s.Lab.Bridge, catalog.PinsFile), text, nil
	}
	clause := regexp.MustCompile(`(?m)^package ` + own.Lab.Package + `$`) // a student's copy has no comment above it
	text = clause.ReplaceAll(text, []byte("package "+s.Lab.Package))
	return path.Join(s.Lab.Bridge, "pins_"+own.Lab.Package+".go"), text, nil
}

// pinParts adds the pins of the parts to the lab's bridge, and its own where the bridge is
// not the one that has them.
func (s Subject) pinParts(root string, set overlay.Set) error {
	pinned := s.Parts
	if s.Lab.Bridge != s.Lab.PinsDir() {
		pinned = s.Packages()
	}
	for _, part := range pinned {
		name, text, err := s.Pins(root, part)
		if err != nil {
			return err
		}
		if set[name], err = retarget(name, text, part); err != nil {
			return err
		}
	}
	return nil
}

// wire adds the files that put the lab together with its parts. Each of the subjects is
// imported in one place among them.
func (s Subject) wire(root string, set overlay.Set) error {
	dir := filepath.Join(root, filepath.FromSlash(s.Lab.Wiring))
	imported := 0
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		here := slices.DeleteFunc(s.Packages(), func(own Subject) bool { return !bytes.Contains(text, own.bridged()) })
		if len(here) == 0 {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		imported += len(here)
		name := filepath.ToSlash(rel)
		set[name], err = retarget(name, text, here...)
		return err
	})
	if err != nil {
		return fmt.Errorf("read the wiring of lab %s: %w", s.Lab.Dir, err)
	}
	if want := len(s.Packages()); imported != want {
		return fmt.Errorf("%s imports %d of the %d packages of lab %s", s.Lab.Wiring, imported, want, s.Lab.Dir)
	}
	return nil
}

// retarget is the text of a file in which each of the subjects is imported instead of
// its lab's solution.
func retarget(name string, text []byte, subjects ...Subject) ([]byte, error) {
	for _, s := range subjects {
		if bytes.Count(text, s.bridged()) != 1 {
			return nil, fmt.Errorf("%s does not import %s exactly once", name, s.bridged())
		}
		text = bytes.Replace(text, s.bridged(), []byte(`"`+s.ImportPath()+`"`), 1)
	}
	return text, nil
}

// bridged is the import, in quotes, that the subject replaces.
func (s Subject) bridged() []byte {
	return []byte(`"` + catalog.Module + "/" + s.Lab.BridgedPath() + `"`)
}

// Learner is the learner's own code under labs, and so are its parts.
func Learner(root string, lab catalog.Lab) (Subject, error) {
	s, err := tree(root, lab, lab.LabPath())
	if err != nil {
		return s, err
	}
	for _, dir := range lab.Parts {
		part, err := catalog.Find(dir)
		if err != nil {
			return s, err
		}
		own, err := tree(root, part, part.LabPath())
		if err != nil {
			return s, err
		}
		s.Parts = append(s.Parts, own)
	}
	return s, nil
}

// Solution is the reference.
func Solution(root string, lab catalog.Lab) (Subject, error) {
	return tree(root, lab, lab.SolutionPath())
}

// Stub is the lab as it was handed out, whatever the learner made of it.
func Stub(root string, lab catalog.Lab) (Subject, error) {
	files := map[string][]byte{}
	for _, f := range lab.Files {
		b, err := lab.Stub(f)
		if err != nil {
			return Subject{}, err
		}
		files[f] = b
	}
	return Given(root, lab, files)
}

// Given is code that was submitted: only the lab's own files count. One in which the stub
// leaves nothing to do, types that are given or room for the learner's own, need not be
// among them.
func Given(root string, lab catalog.Lab, files map[string][]byte) (Subject, error) {
	s := Subject{Lab: lab, Path: lab.LabPath(), Files: map[string][]byte{}, replace: overlay.Set{}}
	for _, f := range lab.Files {
		b, ok := files[f]
		if !ok {
			stub, err := lab.Stub(f)
			if err != nil {
				return s, err
			}
			if bytes.Contains(stub, []byte("kit.TODO(")) {
				continue // and the gate says that it is missing
			}
			b = stub
		}
		s.Files[f] = b
		s.replace[path.Join(s.Path, f)] = b
	}
	return s, s.hide(root)
}

// Untouched reports whether the code is the stub as it was handed out.
func (s Subject) Untouched() (bool, error) {
	for _, f := range s.Lab.Files {
		stub, err := s.Lab.Stub(f)
		if err != nil {
			return false, err
		}
		if own, there := s.Files[f]; there && !bytes.Equal(own, stub) {
			return false, nil
		}
	}
	return true, nil
}

// Fault is the reference with one seeded mistake, as if the learner had written it.
func Fault(root string, lab catalog.Lab, fault seeded.Fault) (Subject, error) {
	s, err := Solution(root, lab)
	if err != nil {
		return s, err
	}
	files, err := fault.Seed(s.Files)
	if err != nil {
		return s, err
	}
	return Given(root, lab, files)
}

// Alternatives are the names of a lab's alternatives: right implementations on other ideas
// than the reference's. There may be none.
func Alternatives(root string, lab catalog.Lab) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(alternatives)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the alternatives of lab %s: %w", lab.Dir, err)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.Name(), lab.Dir+"-"); ok && e.IsDir() {
			names = append(names, name)
		}
	}
	return names, nil
}

// alternatives is where they are: lab 01's "one-owner" is 01-goroutines-one-owner in it.
const alternatives = "checker/alternatives"

// AlternativePath is the directory of one of a lab's alternatives.
func AlternativePath(lab catalog.Lab, name string) string {
	return path.Join(alternatives, lab.Dir+"-"+name)
}

// Alternative is one of a lab's alternatives, in the place of the learner's code.
func Alternative(root string, lab catalog.Lab, name string) (Subject, error) {
	s, err := tree(root, lab, AlternativePath(lab, name))
	if err != nil {
		return s, err
	}
	if len(s.Extra) > 0 {
		return s, fmt.Errorf("%s has %s, which is no file of lab %s", s.Path, s.Extra[0], lab.Dir)
	}
	return Given(root, lab, s.Files)
}

// tree reads a package directory of the repository.
func tree(root string, lab catalog.Lab, dir string) (Subject, error) {
	s := Subject{Lab: lab, Path: dir, Files: map[string][]byte{}, Wrong: map[string]string{}, replace: overlay.Set{}}
	for _, f := range lab.Files {
		b, err := read(filepath.Join(root, filepath.FromSlash(dir), f))
		switch {
		case err == nil:
			s.Files[f] = b
			s.replace[path.Join(dir, f)] = b // what was read is built, whatever is saved meanwhile
		case !errors.Is(err, fs.ErrNotExist): // the gate reports a missing file
			s.Wrong[f] = reason(err)
		}
	}
	return s, s.hide(root)
}

// hide takes Go files that are not the lab's own out of the build.
func (s *Subject) hide(root string) error {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(s.Path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", s.Path, err)
	}
	for _, e := range entries {
		name := e.Name()
		if _, own := s.Files[name]; own || !source(name) {
			continue
		}
		s.replace[path.Join(s.Path, name)] = nil
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			s.Extra = append(s.Extra, name)
		}
	}
	return nil
}

// source reports whether the go command would compile a file of that name.
func source(name string) bool {
	switch path.Ext(name) {
	case ".go", ".s", ".c", ".h", ".cc", ".cpp", ".cxx", ".m", ".S", ".syso", ".swig", ".swigcxx", ".f", ".F", ".f90":
		return true
	}
	return false
}

var errIrregular = errors.New("not a regular file")

// read reads a regular file of bounded size without following links.
func read(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxFile+1)) // the gate refuses what is too large
}

func reason(err error) string {
	switch {
	case errors.Is(err, errIrregular):
		return "is not a regular file"
	case errors.Is(err, fs.ErrPermission):
		return "cannot be read: permission denied"
	}
	return "cannot be read: " + err.Error()
}
