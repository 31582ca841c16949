package similarity

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// disguise is what somebody does to a copy. The results are not meant to compile: they
// are at least as far from the original as anything that still works.
type disguise struct {
	name   string
	change func(f *ast.File, r *rand.Rand)
}

var disguises = []disguise{
	{"comments and layout", func(*ast.File, *rand.Rand) {}}, // every disguise is printed without comments
	{"new names and literals", rename},
	{"another order of declarations", reorder},
	{"swapped statements", swap},
	{"statements put between", pad},
	{"parts taken out into functions", extract},
	{"other words for the same", rephrase},
	{"all of these", func(f *ast.File, r *rand.Rand) {
		for _, change := range []func(*ast.File, *rand.Rand){rename, swap, rephrase, extract, pad, reorder} {
			change(f, r)
		}
	}},
}

func (d disguise) apply(t *testing.T, files map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(files)) { // one order, for all take from r
		text := files[name]
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		d.change(f, r)
		var b bytes.Buffer
		require.NoError(t, format.Node(&b, token.NewFileSet(), f))
		out[name] = b.Bytes()
	}
	return out
}

func rename(f *ast.File, _ *rand.Rand) {
	names := map[string]string{}
	for name := range packages([]byte("package p\n" + imports(f))) {
		names[name] = name
	}
	fixed := map[*ast.Ident]bool{f.Name: true}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && names[x.Name] == x.Name {
				fixed[n.Sel] = true
			}
		case *ast.BasicLit:
			switch n.Kind {
			case token.INT:
				n.Value = "4711"
			case token.STRING:
				n.Value = `"something else"`
			}
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			if fixed[n] || predeclared[n.Name] {
				return true
			}
			if names[n.Name] == "" {
				names[n.Name] = fmt.Sprintf("renamed%d", len(names))
			}
			n.Name = names[n.Name]
		}
		return true
	})
}

func imports(f *ast.File) string {
	s := ""
	for _, spec := range f.Imports {
		s += "import " + spec.Path.Value + "\n"
	}
	return s
}

func reorder(f *ast.File, r *rand.Rand) {
	for i, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			rest := f.Decls[i:]
			r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
			return
		}
	}
}

// blocks calls change for every list of statements.
func blocks(f *ast.File, change func([]ast.Stmt) []ast.Stmt) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			if n != nil && !clauses(n.List) {
				n.List = change(n.List)
			}
		case *ast.CaseClause:
			n.Body = change(n.Body)
		case *ast.CommClause:
			n.Body = change(n.Body)
		}
		return true
	})
}

func clauses(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, c := list[0].(*ast.CaseClause)
	_, s := list[0].(*ast.CommClause)
	return c || s
}

// swap exchanges neighbours at every third place.
func swap(f *ast.File, r *rand.Rand) {
	blocks(f, func(list []ast.Stmt) []ast.Stmt {
		for i := 0; i+1 < len(list); i++ {
			if r.IntN(3) == 0 {
				list[i], list[i+1] = list[i+1], list[i]
				i++
			}
		}
		return list
	})
}

// pad puts a statement without a meaning before every third.
func pad(f *ast.File, r *rand.Rand) {
	blocks(f, func(list []ast.Stmt) []ast.Stmt {
		var padded []ast.Stmt
		for _, s := range list {
			if r.IntN(3) == 0 {
				padded = append(padded, &ast.AssignStmt{Lhs: []ast.Expr{ast.NewIdent("_")}, Tok: token.ASSIGN, Rhs: []ast.Expr{&ast.BasicLit{Kind: token.INT, Value: "0"}}})
			}
			padded = append(padded, s)
		}
		return padded
	})
}

// extract moves the second half of every longer function into one of its own.
func extract(f *ast.File, _ *rand.Rand) {
	var more []ast.Decl
	for i, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || len(fn.Body.List) < 3 {
			continue
		}
		half := len(fn.Body.List) / 2
		name := fmt.Sprintf("part%d", i)
		more = append(more, &ast.FuncDecl{Recv: fn.Recv, Name: ast.NewIdent(name), Type: fn.Type, Body: &ast.BlockStmt{List: fn.Body.List[half:]}})
		fn.Body.List = append(fn.Body.List[:half:half], &ast.ExprStmt{X: &ast.CallExpr{Fun: ast.NewIdent(name), Args: []ast.Expr{ast.NewIdent("a"), ast.NewIdent("b")}}})
	}
	f.Decls = append(f.Decls, more...)
}

// rephrase turns conditions round, and writes := and ++ in full.
func rephrase(f *ast.File, _ *rand.Rand) {
	blocks(f, func(list []ast.Stmt) []ast.Stmt {
		for i, s := range list {
			switch s := s.(type) {
			case *ast.IncDecStmt:
				list[i] = &ast.AssignStmt{Lhs: []ast.Expr{s.X}, Tok: token.ADD_ASSIGN, Rhs: []ast.Expr{&ast.BasicLit{Kind: token.INT, Value: "1"}}}
			case *ast.AssignStmt:
				if s.Tok == token.DEFINE && len(s.Lhs) == 1 {
					list[i] = &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{s.Lhs[0].(*ast.Ident)}, Values: s.Rhs}}}}
				}
			case *ast.IfStmt:
				s.Cond = &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: s.Cond}}
				if other, ok := s.Else.(*ast.BlockStmt); ok {
					s.Body, s.Else = other, s.Body
				}
			}
		}
		return list
	})
}
