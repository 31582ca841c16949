package handout

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
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

	idents  map[string]bool // identifiers in it that may be the package's own
	uses    map[string]bool // all identifiers in it, fields and methods too
	imports map[string]bool // names of the file's imports that it uses
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
	d.mentions()
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

// mentions notes the identifiers of a declaration, and those that belong to other
// packages. It knows nothing of scopes: a local variable that is named like a function
// keeps that function, which costs a few lines and never a build.
func (d *decl) mentions() {
	d.idents, d.uses, d.imports = map[string]bool{}, map[string]bool{}, map[string]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			d.idents[n.Name], d.uses[n.Name] = true, true
		case *ast.SelectorExpr:
			d.uses[n.Sel.Name] = true // a field, a method, or a name of another package
			if x, ok := n.X.(*ast.Ident); ok {
				dir, imported := d.file.imports[x.Name]
				d.imports[x.Name] = imported
				d.foreign = append(d.foreign, reference{dir, n.Sel.Name})
			}
			ast.Inspect(n.X, visit)
			return false
		}
		return true
	}
	ast.Inspect(d.node, visit)
}

// receiver is the name of the type that a method belongs to, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if base, _ := syntax.Receiver(d); base != nil {
		return base.Name
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

// shake marks what main and the bridges need, and conform.Main, which a program calls that the
// checker writes. Only what is left out needed the rest: the helpers of hidden
// cases, and the commands for teachers with all that they call.
func (m *module) shake() {
	for _, p := range m.packages {
		var called []*decl
		switch {
		case strings.HasPrefix(p.dir, bridgesDir):
			p.live = true
		case p.name == "main":
			called = p.decls["main"]
		case p.dir == conformDir:
			called = p.decls["Main"]
		}
		for _, d := range called {
			m.keep(d)
		}
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

// needed reports whether a declaration has to stay even though nothing names it.
func (m *module) needed(p *pkg, d *decl) bool {
	switch {
	case !p.live:
		return false
	case p.whole || d.file.bridge || slices.Equal(d.names, []string{"init"}):
		return true
	case d.recv != "":
		return p.kept[d.recv] && m.called(p, d.names[0])
	case slices.Equal(d.names, []string{"_"}):
		return p.keepsAll(d)
	}
	return false
}

// called reports whether a method may be called: its name stands in what is kept, or
// an interface from elsewhere may want it. Fakes have those of the kit.
func (m *module) called(p *pkg, method string) bool {
	if !ast.IsExported(method) {
		return p.used[method]
	}
	return m.used[method] || implicit[method] || strings.HasPrefix(p.dir+"/", suitesDir) || p.dir == fakesDir
}

// implicit are methods that the standard library calls through interfaces. Where it needs
// others, the compiler says so, and Write fails.
var implicit = map[string]bool{
	"String": true, "GoString": true, "Format": true, "Error": true, "Unwrap": true, "Is": true, "As": true, "Timeout": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true,
	"Read": true, "Write": true, "Close": true, "Len": true, "Less": true, "Swap": true, "Push": true, "Pop": true,
}

// keep marks a declaration, what it names, and what its file imports for its effect alone.
func (m *module) keep(d *decl) {
	if d.live {
		return
	}
	d.live, d.pkg.live = true, true
	for _, name := range d.names {
		if d.recv == "" {
			d.pkg.kept[name] = true
		}
	}
	for name := range d.uses {
		m.used[name], d.pkg.used[name] = true, true
	}
	for name := range d.idents {
		for _, other := range d.pkg.decls[name] {
			m.keep(other)
		}
	}
	for _, spec := range d.file.syntax.Imports {
		dir, ours := moduleDir(spec)
		if p := m.packages[dir]; ours && p != nil && spec.Name != nil && spec.Name.Name == "_" {
			p.live = true
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

// keepsAll reports whether all that an assertion such as `var _ I = T{}` names is kept.
func (p *pkg) keepsAll(d *decl) bool {
	for name := range d.idents {
		if p.decls[name] != nil && !p.kept[name] {
			return false
		}
	}
	return true
}
