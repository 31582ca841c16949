// Package syntax reads what several packages want to know of Go source.
package syntax

import "go/ast"

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
