// Package syntax reads what several packages want to know of Go source.
package syntax

import (
	"go/ast"
	"path"
	"strconv"
	"strings"
)

// Receiver returns the type that a method belongs to, without pointer and type arguments,
// and the names that the receiver gives to its type parameters. Both are nil for a
// function, and the first for a receiver that the compiler refuses.
func Receiver(fn *ast.FuncDecl) (base *ast.Ident, params []*ast.Ident) {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return nil, nil
	}
	typ := ast.Unparen(fn.Recv.List[0].Type)
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = ast.Unparen(star.X)
	}
	var args []ast.Expr
	switch t := typ.(type) {
	case *ast.IndexExpr:
		typ, args = t.X, []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		typ, args = t.X, t.Indices
	}
	for _, arg := range args {
		if id, ok := arg.(*ast.Ident); ok {
			params = append(params, id)
		}
	}
	base, _ = ast.Unparen(typ).(*ast.Ident)
	return base, params
}

// Import returns the path that an import means, with escapes and raw strings undone, and
// the name by which the file knows the package. Where the import does not say it, that is
// the last element of the path which is not a version: math/rand/v2 is package rand.
func Import(spec *ast.ImportSpec) (importPath, name string) {
	importPath, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		importPath = spec.Path.Value // the compiler will refuse it
	}
	if spec.Name != nil {
		return importPath, spec.Name.Name
	}
	name = path.Base(importPath)
	if dir := path.Dir(importPath); dir != "." && len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(dir)
	}
	return importPath, name
}
