package handout

import (
	"go/ast"
	"go/token"
	"slices"
)

// decl is a piece of a package that is kept or left out as one: a function, a method,
// a type, a variable, a group of constants that count.
type decl struct {
	file  *file
	pkg   *pkg
	node  ast.Node // what is printed
	doc   *ast.CommentGroup
	group *ast.GenDecl // the declaration around node, nil where node is a whole one
	names []string
	recv  string // of a method: its receiver's type

	words   map[string]bool // every identifier in it
	foreign []reference     // what it names of other packages of the module
	live    bool
}

type reference struct{ dir, name string }

// index lists the declarations of a file.
func (m *module) index(p *pkg, f *file) {
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			m.enter(p, f, &decl{node: d, doc: d.Doc, names: []string{d.Name.Name}, recv: receiver(d)})
		case *ast.GenDecl:
			m.indexGroup(p, f, d)
		}
	}
}

func (m *module) indexGroup(p *pkg, f *file, d *ast.GenDecl) {
	switch {
	case d.Tok == token.IMPORT:
	case d.Tok == token.CONST || !d.Lparen.IsValid():
		// Constants may count with iota: a group of them is one piece.
		whole := &decl{node: d, doc: d.Doc}
		for _, s := range d.Specs {
			whole.names = append(whole.names, specNames(s)...)
		}
		m.enter(p, f, whole)
	default:
		for _, s := range d.Specs {
			m.enter(p, f, &decl{node: s, doc: specDoc(s), group: d, names: specNames(s)})
		}
	}
}

func (m *module) enter(p *pkg, f *file, d *decl) {
	d.file, d.pkg = f, p
	d.words, d.foreign = mentions(f, d.node)
	p.all = append(p.all, d)
	if d.recv != "" {
		return
	}
	for _, n := range d.names {
		if n != "_" {
			p.decls[n] = append(p.decls[n], d)
		}
	}
}

// mentions are the identifiers of a node, and those that belong to other packages. It
// knows nothing of scopes: a local variable that is named like a function keeps that
// function, which costs a few lines and never a build.
func mentions(f *file, node ast.Node) (words map[string]bool, foreign []reference) {
	words = map[string]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			words[n.Name] = true
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && f.imports[x.Name] != "" {
				foreign = append(foreign, reference{f.imports[x.Name], n.Sel.Name})
			}
		}
		return true
	})
	return words, foreign
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	return base(d.Recv.List[0].Type)
}

// base is the name of a receiver's type, without pointer and type parameters.
func base(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return base(e.X)
	case *ast.IndexExpr:
		return base(e.X)
	case *ast.IndexListExpr:
		return base(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func specNames(s ast.Spec) []string {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return []string{s.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, n := range s.Names {
			names = append(names, n.Name)
		}
		return names
	}
	return nil
}

func specDoc(s ast.Spec) *ast.CommentGroup {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Doc
	case *ast.ValueSpec:
		return s.Doc
	}
	return nil
}

// shake marks what main needs. All else was needed only by what stays behind: the
// helpers of hidden cases, the commands for teachers and all below them.
func (m *module) shake() {
	for _, d := range m.packages[checkerDir].decls["main"] {
		m.keep(d)
	}
	for changed := true; changed; {
		changed = false
		for _, p := range m.packages {
			for _, d := range p.all {
				if !d.live && m.needed(p, d) {
					m.keep(d)
					changed = true
				}
			}
		}
	}
}

// needed reports whether a declaration that nobody names has to stay all the same.
func (m *module) needed(p *pkg, d *decl) bool {
	switch {
	case !p.live():
		return false
	case p.whole || d.file.test || slices.Equal(d.names, []string{"init"}):
		return true
	case d.recv != "":
		return p.liveName(d.recv) && (ast.IsExported(d.names[0]) || p.says(d.names[0]))
	case slices.Equal(d.names, []string{"_"}):
		return p.knows(d)
	}
	return false
}

func (m *module) keep(d *decl) {
	if d.live {
		return
	}
	d.live = true
	for word := range d.words {
		for _, other := range d.pkg.decls[word] {
			m.keep(other)
		}
	}
	for _, ref := range d.foreign {
		if p := m.packages[ref.dir]; p != nil {
			for _, other := range p.decls[ref.name] {
				m.keep(other)
			}
		}
	}
}

// live reports whether anything of the package is kept.
func (p *pkg) live() bool {
	return slices.ContainsFunc(p.all, func(d *decl) bool { return d.live })
}

func (p *pkg) liveName(name string) bool {
	return slices.ContainsFunc(p.decls[name], func(d *decl) bool { return d.live })
}

// says reports whether anything that is kept has that word in it.
func (p *pkg) says(word string) bool {
	return slices.ContainsFunc(p.all, func(d *decl) bool { return d.live && d.words[word] })
}

// knows reports whether all that an assertion such as `var _ I = T{}` names is kept.
func (p *pkg) knows(d *decl) bool {
	for word := range d.words {
		if p.decls[word] != nil && !p.liveName(word) {
			return false
		}
	}
	return true
}
