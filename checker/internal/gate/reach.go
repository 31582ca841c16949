package gate

import (
	"go/ast"
	"go/token"
	"slices"
)

// reachableWrite returns a write of the subject that could change what v points to, or nil.
func (g *inspection) reachableWrite(v sharedVariable) ast.Node {
	reassigned := g.reassigned()
	var found ast.Node
	for _, f := range g.files {
		r := reach{g, f, v, reassigned}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if found == nil {
				found = r.write(n)
			}
			return found == nil
		})
	}
	return found
}

// reassigned returns the variables that are assigned to after their declaration, or
// whose address is taken: what they were declared with says nothing about them.
func (g *inspection) reassigned() map[*ast.Object]bool {
	again := map[*ast.Object]bool{}
	note := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Obj != nil {
			again[id.Obj] = again[id.Obj] || id.Obj.Pos() != id.Pos()
		}
	}
	for _, f := range g.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, target := range n.Lhs {
					note(ast.Unparen(target))
				}
			case *ast.RangeStmt:
				note(n.Key)
				note(n.Value)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(ast.Unparen(n.X))
				}
			}
			return true
		})
	}
	return again
}

// reach asks which writes of a file could go through a shared pointer.
type reach struct {
	*inspection
	file       *file
	v          sharedVariable
	reassigned map[*ast.Object]bool
}

// write returns the part of n that could change the shared value, or nil.
func (r reach) write(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if slices.Contains(r.v.methods, n.Sel.Name) && !r.fresh(n.X) {
			return n
		}
	case *ast.AssignStmt:
		for i, target := range n.Lhs {
			var value ast.Expr
			if len(n.Lhs) == len(n.Rhs) {
				value = n.Rhs[i]
			}
			if r.reaches(target, value) {
				return target
			}
		}
	case *ast.RangeStmt:
		for _, target := range []ast.Expr{n.Key, n.Value} {
			if target != nil && r.reaches(target, nil) {
				return target
			}
		}
	}
	return nil
}

// reaches reports whether the assignment of value, nil if it is not written as one
// expression, to target could change the shared value: it assigns one of its fields,
// or all of it through a pointer that may be the shared one.
func (r reach) reaches(target, value ast.Expr) bool {
	if star, ok := ast.Unparen(target).(*ast.StarExpr); ok {
		return !r.pointsElsewhere(star.X) && !r.other(r.typeOf(value, 0))
	}
	return r.foreignRoot(r.file, target) == "" && r.reachesField(target) // else refused where it stands
}

// pointsElsewhere reports whether a pointer is surely not of the shared type.
func (r reach) pointsElsewhere(pointer ast.Expr) bool {
	types := []ast.Expr{r.typeOf(pointer, 0)}
	if sel, ok := ast.Unparen(pointer).(*ast.SelectorExpr); ok && len(r.fields[sel.Sel.Name]) > 0 {
		types = r.fields[sel.Sel.Name]
	}
	return !slices.ContainsFunc(types, func(typ ast.Expr) bool {
		if typ == ast.Expr(somethingElse) {
			return false
		}
		star, ok := typ.(*ast.StarExpr)
		return !ok || !r.other(star.X)
	})
}

// reachesField looks for one of the shared value's fields in what is assigned to.
func (r reach) reachesField(target ast.Expr) bool {
	for {
		switch x := target.(type) {
		case *ast.ParenExpr:
			target = x.X
		case *ast.StarExpr:
			target = x.X
		case *ast.IndexExpr:
			target = x.X
		case *ast.SelectorExpr:
			if slices.Contains(r.v.fields, x.Sel.Name) {
				return !r.fresh(x.X) && !r.hasOwn(x.X, x.Sel.Name)
			}
			target = x.X
		default:
			return false
		}
	}
}

// fresh reports whether e is a variable that was declared with a new value of another
// package's type, and holds it still. A value of the subject's types says nothing: it
// can embed a shared pointer.
func (r reach) fresh(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || id.Obj == nil || r.reassigned[id.Obj] {
		return false
	}
	value := ast.Unparen(valueOf(id.Obj))
	if address, ok := value.(*ast.UnaryExpr); ok && address.Op == token.AND {
		value = ast.Unparen(address.X)
	}
	switch value := value.(type) {
	case *ast.CompositeLit:
		return r.isForeign(value.Type)
	case *ast.StarExpr: // a copy
		return r.isForeign(value.X)
	case *ast.CallExpr:
		if r.predeclared(value.Fun, "new") && len(value.Args) == 1 {
			return r.isForeign(value.Args[0])
		}
		sel, ok := value.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Clone" && !r.methods["Clone"]
	}
	return false
}

func (r reach) isForeign(e ast.Expr) bool {
	if e == nil {
		return false
	}
	_, _, ok := r.foreign(r.file, uninstantiated(e))
	return ok
}

// hasOwn reports whether e is of a struct of the subject that has a field of that name
// itself, and not from what it embeds.
func (r reach) hasOwn(e ast.Expr, field string) bool {
	typ := r.typeOf(e, 0)
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if typ == nil {
		return false
	}
	spec := r.typeDecl(uninstantiated(typ))
	if spec == nil {
		return false
	}
	structure, ok := spec.Type.(*ast.StructType)
	return ok && hasField(structure, []string{field}) && !r.convertible(structure)
}

// convertible reports whether a struct could be the shared type under another name:
// then it has more than one of its fields.
func (r reach) convertible(structure *ast.StructType) bool {
	return len(r.v.fields) > 1 && hasField(structure, r.v.fields[:1]) && hasField(structure, r.v.fields[1:])
}

// other reports whether a type is surely not what the shared variable points to.
func (r reach) other(typ ast.Expr) bool {
	if typ == nil {
		return false
	}
	switch t := uninstantiated(typ).(type) {
	case *ast.SelectorExpr:
		_, name, ok := r.foreign(r.file, t)
		return ok && name != r.v.typ
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StarExpr:
		return true
	case *ast.StructType:
		return !hasField(t, r.v.fields)
	case *ast.Ident:
		made := r.underlying(t)
		if name, ok := made.(*ast.Ident); ok {
			return r.object(name) == nil && harmlessBuiltins[name.Name]
		}
		return r.other(made)
	}
	return false
}

func hasField(s *ast.StructType, names []string) bool {
	for _, field := range s.Fields.List {
		for _, name := range field.Names {
			if slices.Contains(names, name.Name) {
				return true
			}
		}
	}
	return false
}
