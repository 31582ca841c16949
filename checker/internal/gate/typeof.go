package gate

import (
	"go/ast"
	"go/token"
)

// maxSteps bounds how far typeOf follows one variable to the next.
const maxSteps = 8

// somethingElse stands for the type of an expression that is certainly no struct.
var somethingElse = &ast.FuncType{}

// typeOf returns the type of an expression where it can be read off the syntax, and
// nil where it cannot. It is a small part of a type checker, for the one question
// whether a pointer may be another package's.
func (g *inspection) typeOf(e ast.Expr, steps int) ast.Expr {
	if e == nil || steps > maxSteps {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return g.typeOfName(e, steps)
	case *ast.BasicLit, *ast.BinaryExpr, *ast.FuncLit, *ast.SliceExpr:
		return somethingElse
	case *ast.CompositeLit:
		return e.Type
	case *ast.TypeAssertExpr:
		return e.Type
	case *ast.UnaryExpr:
		if inner := g.typeOf(e.X, steps+1); e.Op == token.AND && inner != nil {
			return &ast.StarExpr{X: inner}
		}
	case *ast.StarExpr:
		if pointer, ok := g.typeOf(e.X, steps+1).(*ast.StarExpr); ok {
			return pointer.X
		}
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok && g.object(id) == nil {
			return nil // a variable of another package
		}
		return g.typeOfField(e.Sel.Name)
	case *ast.CallExpr:
		return g.typeOfCall(e, steps)
	}
	return nil
}

// typeOfField knows the field by its name alone: if one struct of the subject has it,
// or none, for then it is another package's, and no exported field of those holds the
// pointers that typeOf is asked about.
func (g *inspection) typeOfField(name string) ast.Expr {
	if types := g.fields[name]; len(types) == 1 {
		return types[0]
	}
	if !g.methods[name] && ast.IsExported(name) {
		return somethingElse
	}
	return nil
}

func (g *inspection) typeOfName(id *ast.Ident, steps int) ast.Expr {
	object := g.object(id)
	if object == nil {
		if id.Name == "nil" || id.Name == "true" || id.Name == "false" {
			return somethingElse
		}
		return nil
	}
	switch decl := object.Decl.(type) {
	case *ast.Field:
		if object.Kind == ast.Var {
			return decl.Type
		}
	case *ast.ValueSpec:
		if decl.Type != nil {
			return decl.Type
		}
	}
	return g.typeOf(valueOf(object), steps+1)
}

// valueOf returns the expression that a variable is declared with, or nil.
func valueOf(object *ast.Object) ast.Expr {
	switch decl := object.Decl.(type) {
	case *ast.ValueSpec:
		for i, name := range decl.Names {
			if name.Name == object.Name && len(decl.Names) == len(decl.Values) {
				return decl.Values[i]
			}
		}
	case *ast.AssignStmt:
		for i, target := range decl.Lhs {
			if id, ok := target.(*ast.Ident); ok && id.Name == object.Name && len(decl.Lhs) == len(decl.Rhs) {
				return decl.Rhs[i]
			}
		}
	}
	return nil
}

// typeOfCall knows new, make, append, conversions, and functions of the subject that
// return one value.
func (g *inspection) typeOfCall(call *ast.CallExpr, steps int) ast.Expr {
	id, ok := uninstantiated(call.Fun).(*ast.Ident)
	if !ok || len(call.Args) == 0 && g.object(id) == nil {
		return nil
	}
	switch {
	case g.isType(id):
		return call.Fun
	case g.predeclared(id, "new"):
		return &ast.StarExpr{X: call.Args[0]}
	case g.object(id) == nil && harmlessBuiltins[id.Name] && id.Name != "min" && id.Name != "max":
		return somethingElse
	}
	if object := g.object(id); object != nil {
		fn, ok := object.Decl.(*ast.FuncDecl)
		if ok && fn.Type.TypeParams == nil && fn.Type.Results.NumFields() == 1 {
			return fn.Type.Results.List[0].Type
		}
	}
	return nil
}
