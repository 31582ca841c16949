package gate

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

const initialiserHelp = "Give it a plain value here (a literal, errors.New, make), and do the work in a function when it is first called."

// callable lists the functions and conversions of other packages that the initialiser
// of a package variable may call: they only build a value, and call back into nothing
// of the subject's. One "*" stands for a whole package.
var callable = map[string]string{
	"container/list":              "New",
	"container/ring":              "New",
	"context":                     "Background TODO",
	"encoding/json":               "Number RawMessage",
	"errors":                      "New Join",
	"hash/fnv":                    "New32 New32a New64 New64a New128 New128a",
	"hash/maphash":                "MakeSeed",
	"math":                        "*",
	"math/bits":                   "*",
	"math/rand":                   "New NewSource",
	"math/rand/v2":                "New NewPCG NewChaCha8",
	"net/http":                    "HandlerFunc NewServeMux",
	"regexp":                      "MustCompile",
	"strconv":                     "*",
	"strings":                     "NewReplacer Fields Join Split ToLower ToUpper",
	"sync":                        "NewCond OnceFunc OnceValue OnceValues",
	"time":                        "Date Duration FixedZone Month Now Unix UnixMilli Weekday",
	"golang.org/x/sync/semaphore": "NewWeighted",
	Kit:                           "EventType PodPhase Reason",
}

// printing lists functions that would call the String or Error method of what they
// are given: they may be called with values that have none of the subject's.
var printing = map[string]string{
	"fmt": "Errorf Sprint Sprintf Sprintln",
	Kit:   "NewAlreadyExists NewConflict NewNotFound NewResourceExpired NewStatusError",
}

// harmlessBuiltins are the predeclared functions that only compute a value. The
// predeclared types beside them are conversions.
var harmlessBuiltins = map[string]bool{
	"append": true, "cap": true, "complex": true, "imag": true, "len": true, "make": true, "max": true, "min": true,
	"new": true, "real": true,

	"any": true, "bool": true, "byte": true, "complex64": true, "complex128": true, "error": true, "float32": true,
	"float64": true, "int": true, "int8": true, "int16": true, "int32": true, "int64": true, "rune": true, "string": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "uintptr": true,
}

func listed(table map[string]string, path, name string) bool {
	names := table[path]
	return names == "*" || slices.Contains(strings.Fields(names), name)
}

// checkInitialisers refuses package variables whose initialisers run code of the
// subject, or start something, before the tests begin.
func (g *inspection) checkInitialisers(f *file) {
	for _, decl := range f.syntax.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.ValueSpec)
			help := initialiserHelp
			if spec.Names[0].Name == "_" {
				help = "To assert that a type implements an interface write: var _ Interface = (*Type)(nil)."
			}
			for _, value := range spec.Values {
				g.checkInitialiser(f, value, help)
			}
		}
	}
}

// checkInitialiser walks an initialiser, but not into the bodies of functions: these
// are only called later.
func (g *inspection) checkInitialiser(f *file, value ast.Expr, help string) {
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				g.add(n.Pos(), GlobalInitialiser, help, "A package variable may not wait for a channel before the tests begin.")
			}
		case *ast.CallExpr:
			if what := g.calls(f, n); what != "" {
				g.add(n.Pos(), GlobalInitialiser, help,
					"The initialiser of a package variable calls %s, which would run before the tests begin.", clip(what))
				return false
			}
		}
		return true
	})
}

// calls names what a call in an initialiser runs, or returns "" if that is harmless.
func (g *inspection) calls(f *file, call *ast.CallExpr) string {
	fun := uninstantiated(call.Fun)
	switch fun := fun.(type) {
	case *ast.Ident:
		if g.isType(fun) || g.object(fun) == nil && harmlessBuiltins[fun.Name] {
			return ""
		}
		return fun.Name
	case *ast.SelectorExpr:
		return g.callsMember(f, fun, call.Args)
	case *ast.StarExpr:
		return g.callsPointer(f, fun)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType:
		return "" // a conversion
	case *ast.FuncLit:
		return "a function literal"
	default:
		return "a function"
	}
}

// callsPointer tells the conversion (*T)(x) from the call (*f)(x) of a function variable.
func (g *inspection) callsPointer(f *file, star *ast.StarExpr) string {
	switch x := uninstantiated(star.X).(type) {
	case *ast.Ident:
		if g.isType(x) || g.object(x) == nil && harmlessBuiltins[x.Name] {
			return ""
		}
	case *ast.SelectorExpr:
		if _, _, ok := g.foreign(f, x); ok {
			return ""
		}
	}
	return "a function through a pointer"
}

func (g *inspection) callsMember(f *file, fun *ast.SelectorExpr, args []ast.Expr) string {
	path, name, ok := g.foreign(f, fun)
	if !ok {
		return "the method " + fun.Sel.Name
	}
	if listed(callable, path, name) {
		return ""
	}
	if !listed(printing, path, name) {
		return fun.X.(*ast.Ident).Name + "." + name
	}
	for _, arg := range args {
		if !g.plain(f, arg) {
			return fun.X.(*ast.Ident).Name + "." + name + " with a value that may have methods"
		}
	}
	return ""
}

// plain reports whether printing e calls no method of the subject: e is a literal, a
// constant of no named type, another package's value, or an error made by errors.New
// and the like.
func (g *inspection) plain(f *file, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.BinaryExpr:
		return g.plain(f, e.X) && g.plain(f, e.Y)
	case *ast.SelectorExpr:
		_, _, ok := g.foreign(f, e)
		return ok
	case *ast.CallExpr:
		path, name, ok := g.foreign(f, uninstantiated(e.Fun))
		return ok && (path == "errors" && name == "New" || listed(printing, path, name))
	case *ast.Ident:
		return g.plainObject(f, e)
	}
	return false
}

// plainObject follows a name to its declaration: there it has no type of its own, or
// an error's, and a plain value.
func (g *inspection) plainObject(f *file, id *ast.Ident) bool {
	object := g.object(id)
	if object == nil {
		return id.Name == "nil" || id.Name == "true" || id.Name == "false"
	}
	spec, ok := object.Decl.(*ast.ValueSpec)
	if !ok || spec.Type != nil && !g.predeclared(spec.Type, "error") && !g.predeclared(spec.Type, "string") {
		return false
	}
	for i, name := range spec.Names {
		if name.Name == id.Name && i < len(spec.Values) {
			call, ok := spec.Values[i].(*ast.CallExpr)
			return ok && g.plain(f, call) || literal(spec.Values[i])
		}
	}
	return false
}

// literal reports whether e is made of literals alone.
func literal(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.BinaryExpr:
		return literal(e.X) && literal(e.Y)
	}
	return false
}

// isType reports whether an identifier names a type of the subject.
func (g *inspection) isType(id *ast.Ident) bool {
	object := g.object(id)
	return object != nil && object.Kind == ast.Typ
}
