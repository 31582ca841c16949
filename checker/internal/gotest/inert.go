package gotest

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// inert reports whether nothing of a subject runs until a case calls it: its packages have no
// func init, and no variable whose value has to be computed by code of theirs, or could panic
// while it is. In the process of another subject such code is only bytes.
//
// Like carries it looks at names alone, and takes what it does not know for code that runs.
func inert(s subject.Subject) bool {
	return !slices.ContainsFunc(s.Packages(), func(own subject.Subject) bool {
		files, ok := parsed(own)
		return !ok || slices.ContainsFunc(files, begins)
	})
}

// begins reports whether a file has code that runs when its package is initialised.
func begins(file *ast.File) bool {
	imports := imported(file)
	return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			return d.Recv == nil && d.Name.Name == "init"
		case *ast.GenDecl:
			return d.Tok == token.VAR && slices.ContainsFunc(d.Specs, func(spec ast.Spec) bool {
				return !all(spec.(*ast.ValueSpec).Values, imports)
			})
		}
		return true
	})
}

// all reports whether settled is true of each of the values.
func all(values []ast.Expr, imports map[string]string) bool {
	return !slices.ContainsFunc(values, func(v ast.Expr) bool { return !settled(v, imports) })
}

// settled reports whether a value is known without a call of anything but errors.New, and
// cannot panic.
func settled(value ast.Expr, imports map[string]string) bool {
	switch v := value.(type) {
	case *ast.BasicLit, *ast.Ident, *ast.FuncLit:
		return true
	case *ast.SelectorExpr:
		return member(v, imports) != "" // a field could be one of a nil pointer's
	case *ast.ParenExpr:
		return settled(v.X, imports)
	case *ast.UnaryExpr:
		_, made := v.X.(*ast.CompositeLit)
		return (v.Op == token.SUB || v.Op == token.AND && made) && settled(v.X, imports)
	case *ast.BinaryExpr: // no division, which could be by zero
		return (v.Op == token.MUL || v.Op == token.ADD || v.Op == token.SUB) && settled(v.X, imports) && settled(v.Y, imports)
	case *ast.CallExpr:
		return nothing(v) || member(v.Fun, imports) == "errors.New" && all(v.Args, imports)
	case *ast.CompositeLit:
		return literal(v, imports)
	}
	return false
}

// nothing reports whether a call is a conversion such as (*T)(nil).
func nothing(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.ParenExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	_, pointer := fun.X.(*ast.StarExpr)
	arg, name := call.Args[0].(*ast.Ident)
	return pointer && name && arg.Name == "nil"
}

// literal reports whether the elements of a literal are settled. The keys of a map may be
// compared while it is made, which panics for some; and what has a name may be a map.
func literal(lit *ast.CompositeLit, imports map[string]string) bool {
	_, foreign := lit.Type.(*ast.SelectorExpr)
	return !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return !settled(e, imports)
		}
		_, field := pair.Key.(*ast.Ident)
		_, constant := pair.Key.(*ast.BasicLit)
		known := constant || member(pair.Key, imports) != "" || foreign && field
		return !known || !settled(pair.Value, imports)
	})
}
