package seeded

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// Seed returns the files of a solution with the fault in them. A declaration of the fault
// replaces that of the same name; one without a counterpart is added. It is an error if
// one changes nothing.
func (f Fault) Seed(files map[string][]byte) (map[string][]byte, error) {
	s, err := f.read(files)
	if err != nil {
		return nil, err
	}
	for _, p := range f.own.pieces {
		if err := s.put(p); err != nil {
			return nil, fmt.Errorf("%s: %w", f.own.name, err)
		}
	}
	for _, name := range f.without {
		if err := s.remove(name); err != nil {
			return nil, fmt.Errorf("%s: %w", f.own.name, err)
		}
	}
	if len(s.edits) == 0 && len(s.added) == 0 {
		return nil, fmt.Errorf("%s changes nothing", f.own.name)
	}
	return s.files(f.own.syntax.Imports)
}

// splice is a solution and what is to be done to it.
type splice struct {
	sources map[string]source
	home    string // the file that gets what is added, if no other is edited
	pieces  map[string]piece
	edits   map[string][]edit // by file
	added   []string
}

// edit replaces the bytes from at to to.
type edit struct {
	at, to int
	text   string
}

// read parses the files of a solution.
func (f Fault) read(files map[string][]byte) (*splice, error) {
	s := &splice{sources: map[string]source{}, pieces: map[string]piece{}, edits: map[string][]edit{}}
	for _, name := range f.order {
		text, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("%s: the solution has no %s", f.own.name, name)
		}
		src, err := parseSource(name, text)
		if err != nil {
			return nil, err
		}
		s.sources[name] = src
		s.home = cmp.Or(s.home, name)
		for _, p := range src.pieces {
			for _, n := range p.names {
				s.pieces[n] = p
			}
		}
	}
	return s, nil
}

// put replaces what the solution declares under the names of p, or adds p.
func (s *splice) put(p piece) error {
	if slices.Contains(p.names, "_") || slices.Contains(p.names, "init") {
		return fmt.Errorf("%s has no name by which to replace it", p.alone())
	}
	if p.counted {
		return counts(p)
	}
	old, found := s.counterpart(p)
	if !found {
		s.added = append(s.added, p.alone())
		return nil
	}
	switch {
	case old.kind != p.kind:
		return fmt.Errorf("%s is a %s here and a %s in the solution", p.key(), p.kind, old.kind)
	case old.key() != p.key():
		return fmt.Errorf("the solution declares %s together, the fault %s", old.key(), p.key())
	case old.counted:
		return counts(old)
	case same(old.text, p.text):
		return fmt.Errorf("%s is as in the solution: a fault has what it changes and no more", p.key())
	}
	s.edits[old.file] = append(s.edits[old.file], edit{old.at, old.to, p.text})
	return nil
}

// counterpart is the solution's declaration of any of the names.
func (s *splice) counterpart(p piece) (piece, bool) {
	for _, n := range p.names {
		if old, ok := s.pieces[n]; ok {
			return old, true
		}
	}
	return piece{}, false
}

// remove takes a declaration out.
func (s *splice) remove(name string) error {
	old, ok := s.pieces[name]
	switch {
	case !ok:
		return fmt.Errorf("the header takes away %s, which the solution does not declare", name)
	case len(old.names) > 1:
		return fmt.Errorf("the header takes away %s, and the solution declares %s together", name, old.key())
	case old.counted:
		return counts(old)
	}
	s.edits[old.file] = append(s.edits[old.file], edit{old.goAt, old.goTo, ""})
	return nil
}

func counts(p piece) error {
	return fmt.Errorf("%s is one of a group of constants that counts: it cannot be replaced alone", p.key())
}

// files are the solution's, with the edits and what they need of the fault's imports.
func (s *splice) files(imports []*ast.ImportSpec) (map[string][]byte, error) {
	out := map[string][]byte{}
	for name, src := range s.sources {
		out[name] = src.text
	}
	if len(s.added) > 0 {
		if len(s.edits) > 0 {
			s.home = slices.Min(slices.Collect(maps.Keys(s.edits)))
		}
		end := len(s.sources[s.home].text)
		s.edits[s.home] = append(s.edits[s.home], edit{end, end, "\n" + strings.Join(s.added, "\n\n") + "\n"})
	}
	for name, edits := range s.edits {
		text, err := apply(name, s.sources[name].text, edits)
		if err != nil {
			return nil, err
		}
		if out[name], err = importing(name, text, imports); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// apply makes the edits, which must not overlap.
func apply(name string, text []byte, edits []edit) ([]byte, error) {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out bytes.Buffer
	done := 0
	for _, e := range edits {
		if e.at < done {
			return nil, fmt.Errorf("%s: the fault replaces a declaration that it removes, or one twice", name)
		}
		out.Write(text[done:e.at])
		out.WriteString(e.text)
		done = e.to
	}
	out.Write(text[done:])
	return out.Bytes(), nil
}

// importing gives a file the imports that it uses, of its own and of the fault's, and
// takes out those that nothing uses then.
func importing(name string, text []byte, more []*ast.ImportSpec) ([]byte, error) {
	src, err := parseSource(name, text)
	if err != nil {
		return nil, err
	}
	used := src.used()
	have := map[string]bool{}
	var lines []string
	for _, spec := range slices.Concat(src.syntax.Imports, more) {
		_, as := syntax.Import(spec)
		if used[as] && !have[as] || as == "_" {
			lines = append(lines, line(spec))
		}
		have[as] = true
	}
	old := src.syntax.Imports
	if slices.EqualFunc(lines, old, func(l string, spec *ast.ImportSpec) bool { return l == line(spec) }) {
		return text, nil
	}
	edits := []edit{{at: src.offset(src.syntax.Name.End()), to: src.offset(src.syntax.Name.End())}}
	if len(lines) > 0 {
		edits[0].text = "\n\nimport (\n" + strings.Join(lines, "\n") + "\n)"
	}
	for _, d := range src.syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			edits = append(edits, edit{src.offset(g.Pos()), src.offset(g.End()), ""})
		}
	}
	return apply(name, text, edits)
}

// line is an import as it is written.
func line(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name + " " + spec.Path.Value
	}
	return spec.Path.Value
}
