package handout

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// print writes what is kept of a file, or nothing if nothing is. It leaves out comments
// that stand by themselves, because it cannot know which declaration they are about.
func (m *module) print(p *pkg, f *file) ([]byte, error) {
	if p.whole {
		return f.source, nil
	}
	body, used := m.body(p, f)
	if body.Len() == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	m.head(&b, p, f)
	imports(&b, f, used)
	b.Write(body.Bytes())
	text, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("print %s: %w", f.path, err)
	}
	return text, nil
}

// body is the declarations of a file that are kept, and the names of the imports that
// they use.
func (m *module) body(p *pkg, f *file) (body *bytes.Buffer, used map[string]bool) {
	body, used = &bytes.Buffer{}, map[string]bool{}
	var open *ast.GenDecl // whose parenthesis is open
	for _, d := range p.all {
		if d.file != f || !d.live {
			continue
		}
		if open != nil && d.group != open {
			body.WriteString(")\n\n")
		}
		if d.group != nil && d.group != open {
			m.copyText(body, f, docStart(d.group.Doc, d.group.Pos()), d.group.Lparen+1)
			body.WriteString("\n")
		}
		open = d.group
		m.copyText(body, f, docStart(d.doc, d.node.Pos()), m.lineEnd(f, d.node.End()))
		body.WriteString("\n")
		if open == nil {
			body.WriteString("\n")
		}
		for name, imported := range d.imports {
			used[name] = used[name] || imported
		}
	}
	if open != nil {
		body.WriteString(")\n")
	}
	return body, used
}

// head is all before the imports: build constraints, the package's comment, its name.
func (m *module) head(b *bytes.Buffer, p *pkg, f *file) {
	for _, c := range f.syntax.Comments {
		if c.Pos() < f.syntax.Package && strings.HasPrefix(c.List[0].Text, "//go:build") {
			m.copyText(b, f, c.Pos(), c.End())
			b.WriteString("\n\n")
		}
	}
	if f.syntax.Doc != nil {
		if strings.HasPrefix(f.path, suitesDir) {
			// What a suite says of itself is about all its cases.
			fmt.Fprintf(b, "// Package %s holds the public cases of its lab.\n", p.name)
		} else {
			m.copyText(b, f, f.syntax.Doc.Pos(), f.syntax.Doc.End())
			b.WriteString("\n")
		}
	}
	b.WriteString("package " + f.syntax.Name.Name + "\n\n")
}

// imports are those of a file that what is kept of it still uses, in their groups:
// the standard library, others, our own.
func imports(b *bytes.Buffer, f *file, used map[string]bool) {
	groups := make([]strings.Builder, 3)
	for _, spec := range f.syntax.Imports {
		_, name := syntax.Import(spec)
		if name != "_" && !used[name] {
			continue
		}
		line := "\t" + spec.Path.Value + "\n"
		if spec.Name != nil {
			line = "\t" + spec.Name.Name + " " + spec.Path.Value + "\n"
		}
		groups[importGroup(spec)].WriteString(line)
	}
	all := ""
	for i := range groups {
		all += groups[i].String() + "\n"
	}
	if all = strings.Trim(all, "\n"); all != "" {
		b.WriteString("import (\n" + all + "\n)\n\n")
	}
}

func importGroup(spec *ast.ImportSpec) int {
	first, _, _ := strings.Cut(strings.Trim(spec.Path.Value, `"`), "/")
	_, own := moduleDir(spec)
	switch {
	case own:
		return 2
	case strings.Contains(first, "."):
		return 1
	}
	return 0
}

func docStart(doc *ast.CommentGroup, pos token.Pos) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return pos
}

// lineEnd is the end of the line at pos if nothing but a comment stands there.
func (m *module) lineEnd(f *file, pos token.Pos) token.Pos {
	offset := m.fset.Position(pos).Offset
	rest, _, _ := bytes.Cut(f.source[offset:], []byte("\n"))
	if bytes.HasPrefix(bytes.TrimSpace(rest), []byte("//")) {
		return pos + token.Pos(len(rest))
	}
	return pos
}

func (m *module) copyText(b *bytes.Buffer, f *file, from, to token.Pos) {
	b.Write(f.source[m.fset.Position(from).Offset:m.fset.Position(to).Offset])
}
