package faults

import (
	"context"
	"fmt"
	"maps"
	"path"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/exportdata"
	"github.com/controllerbook/controllerbook/checker/internal/mutate"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Reference is the name of a lab's reference among what is mutated; the others have the
// names of alternatives.
const Reference = "solution"

// Mutated is a right implementation of a lab, with its mutants.
type Mutated struct {
	Lab  catalog.Lab
	Name string // Reference, or the name of the alternative
	Path string // its directory in the repository
	mutate.Mutants

	files map[string][]byte
}

// MutatedNames are the names of what can be mutated of a lab: the reference first.
func MutatedNames(root string, lab catalog.Lab) ([]string, error) {
	names, err := subject.Alternatives(root, lab)
	return append([]string{Reference}, names...), err
}

// Mutate makes the mutants of a lab's reference and alternatives, of those that are named.
// It blocks for the go command, which compiles what they import.
func Mutate(ctx context.Context, root string, lab catalog.Lab, names []string) ([]*Mutated, error) {
	var all []*Mutated
	var pkgs []string
	for _, name := range names {
		m := &Mutated{Lab: lab, Name: name, Path: lab.SolutionPath()}
		s, err := subject.Solution(root, lab)
		if name != Reference {
			m.Path = subject.AlternativePath(lab, name)
			s, err = subject.Alternative(root, lab, name)
		}
		if err != nil {
			return nil, err
		}
		m.files = s.Files
		all, pkgs = append(all, m), append(pkgs, "./"+m.Path)
	}
	imports, err := exportdata.Importer(ctx, root, pkgs...)
	if err != nil {
		return nil, err
	}
	stub, err := subject.Stub(root, lab)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		if m.Mutants, err = mutate.Of(mutate.Source{Path: catalog.Module + "/" + m.Path, Files: m.files, Given: stub.Files}, imports); err != nil {
			return nil, fmt.Errorf("mutate %s: %w", m.Path, err)
		}
	}
	return all, nil
}

// Diff is a mutant as a unified diff.
func (m *Mutated) Diff(mutant mutate.Mutant) string {
	return mutant.Diff(path.Join(m.Path, mutant.File), m.files[mutant.File])
}

// mutated are the files of a mutant.
func (m *Mutated) mutated(mutant mutate.Mutant) map[string][]byte {
	files := maps.Clone(m.files)
	files[mutant.File] = mutant.Apply(files[mutant.File])
	return files
}

// Fate is what became of a mutant.
type Fate struct {
	Case    string          // that killed it; "" if none did
	Verdict verdict.Verdict // with which
	Refused bool            // the compiler refused it, though its types are right
	Broken  string          // how the suite failed itself, and judged nothing; "" if it did not
}

// Killed reports whether a case noticed the mutant.
func (f Fate) Killed() bool { return f.Case != "" }
