package gotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// readable is how many bytes of a file are read for this. A syntax tree is many times larger,
// and a grader reads several at once.
const readable = 128 << 10

// carries reports whether a subject has anywhere to keep what one case did for the next: a
// variable of a package that may change, its own or another's. Such a subject could pass a
// case only because another ran before it, so its cases do not share a process.
//
// It looks at names alone, as the gate does. Where it cannot tell that a variable never
// changes, it may change.
func carries(s subject.Subject) bool {
	return slices.ContainsFunc(s.Packages(), func(own subject.Subject) bool {
		files, ok := parsed(own)
		return !ok || mutable(files)
	})
}

// parsed are the syntax trees of a package, if it has no file that is too large or broken.
func parsed(own subject.Subject) (files []*ast.File, ok bool) {
	for name, source := range own.Files {
		if len(source) > readable {
			return nil, false
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, false
		}
		files = append(files, file)
	}
	return files, true
}

// mutable reports whether the files of a package have or use a variable of a package that
// may change.
func mutable(files []*ast.File) bool {
	known := map[string]kind{}
	for _, file := range files {
		for name, k := range variables(file, imported(file)) {
			if k == changing {
				return true
			}
			known[name] = k
		}
	}
	return touchesProcess(files) || slices.ContainsFunc(files, func(file *ast.File) bool { return written(file, known) })
}

// kind is what a variable of a package may be used for without being changed.
type kind int

const (
	changing kind = iota
	sentinel      // an error: anything but an assignment and its address
	table         // a composite literal without pointers: its elements are read
)

// variables are the variables that a file declares, but for blank ones.
func variables(file *ast.File, imports map[string]string) map[string]kind {
	found := map[string]kind{}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.ValueSpec)
			for i, name := range spec.Names {
				switch {
				case name.Name == "_":
				case len(spec.Values) != len(spec.Names):
					found[name.Name] = changing
				default:
					found[name.Name] = kindOf(spec.Values[i], imports)
				}
			}
		}
	}
	return found
}

// kindOf looks at how a variable is initialised.
func kindOf(value ast.Expr, imports map[string]string) kind {
	switch v := value.(type) {
	case *ast.CallExpr:
		if made := member(v.Fun, imports); made == "errors.New" || made == "fmt.Errorf" {
			return sentinel
		}
	case *ast.CompositeLit:
		if !slices.ContainsFunc(v.Elts, func(e ast.Expr) bool { return !flat(e) }) {
			return table
		}
	}
	return changing
}

// flat reports whether an element of a literal is a constant or a function, as far as names
// tell: nothing could be changed through it. A literal in it could be a map.
func flat(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit, *ast.Ident, *ast.SelectorExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op != token.AND && flat(e.X)
	case *ast.BinaryExpr:
		return flat(e.X) && flat(e.Y)
	case *ast.KeyValueExpr:
		return flat(e.Key) && flat(e.Value)
	}
	return false
}

// processWide are the members of packages that change, or are, state of the whole process.
var processWide = map[string]bool{
	"net/http.DefaultServeMux": true, "net/http.DefaultTransport": true,
	"net/http.Handle": true, "net/http.HandleFunc": true,
	"log/slog.SetDefault": true, "log/slog.SetLogLoggerLevel": true,
	"math/rand.Seed": true,
}

// ofClient are the fields of http.DefaultClient. A lab's contract may name that client, so
// to use it is fine; what writes to a field of such a name, or to all of what a pointer
// points to, may change it.
var ofClient = []string{"Transport", "CheckRedirect", "Jar", "Timeout"}

// touchesProcess reports whether files may change the state of the process.
func touchesProcess(files []*ast.File) bool {
	names, client, writes := false, false, false
	for _, file := range files {
		imports := imported(file)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				names = names || processWide[member(n, imports)]
				client = client || member(n, imports) == "net/http.DefaultClient"
			case *ast.AssignStmt:
				writes = writes || slices.ContainsFunc(n.Lhs, clientField)
			case *ast.UnaryExpr:
				writes = writes || n.Op == token.AND && clientField(n.X)
			}
			return true
		})
	}
	return names || client && writes
}

// clientField reports whether e could be a field of an http.Client, or all of one.
func clientField(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return slices.Contains(ofClient, e.Sel.Name)
	case *ast.StarExpr:
		return true
	}
	return false
}

// member is "net/http.Handle" for http.Handle, "" for what is not of an imported package.
func member(e ast.Expr, imports map[string]string) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := s.X.(*ast.Ident)
	if !ok || imports[pkg.Name] == "" {
		return ""
	}
	return imports[pkg.Name] + "." + s.Sel.Name
}

// imported are the paths of a file's imports, by the names that it knows them by.
func imported(file *ast.File) map[string]string {
	paths := map[string]string{}
	for _, spec := range file.Imports {
		importPath, name := syntax.Import(spec)
		paths[name] = importPath
	}
	return paths
}

// written reports whether a file uses one of the variables in a way that may change it. A
// local variable of the same name counts, too: the price is a process for each case.
func written(file *ast.File, known map[string]kind) (found bool) {
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, isName := n.(*ast.Ident); isName && !names(stack, id) {
			k, ok := known[id.Name]
			found = found || ok && !reads(k, id, stack)
		}
		stack = append(stack, n)
		return true
	})
	return found
}

// names reports whether an identifier is a name only: in the declaration of a variable, or
// of a field or method behind a dot.
func names(stack []ast.Node, id *ast.Ident) bool {
	switch parent := stack[len(stack)-1].(type) {
	case *ast.ValueSpec:
		return len(stack) == 3 && slices.Contains(parent.Names, id) // file, declaration, spec
	case *ast.SelectorExpr:
		return parent.Sel == id
	}
	return false
}

// reads reports whether a use of a variable, below the nodes of the stack, only reads it.
func reads(k kind, id ast.Expr, stack []ast.Node) bool {
	parent := stack[len(stack)-1]
	if k == sentinel {
		return !changes(parent, id)
	}
	switch p := parent.(type) {
	case *ast.IndexExpr:
		if _, method := stack[len(stack)-2].(*ast.SelectorExpr); method || p.X != id {
			return false // a method may change the element
		}
		return !changes(stack[len(stack)-2], p)
	case *ast.RangeStmt:
		return p.X == id
	case *ast.CallExpr:
		fun, ok := p.Fun.(*ast.Ident)
		return ok && fun.Name == "len"
	}
	return false
}

// changes reports whether a node may change the expression e right below it. What it does
// not know, such as parentheses around an operand, it takes for a change.
func changes(n ast.Node, e ast.Expr) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.AND
	case *ast.AssignStmt:
		return slices.Contains(n.Lhs, e)
	case *ast.RangeStmt:
		return n.Key == e || n.Value == e
	case *ast.IncDecStmt, *ast.ParenExpr, *ast.SliceExpr, *ast.IndexExpr:
		return true
	}
	return false
}
