package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Touch is a variable or a field that a line reads or writes.
type Touch struct {
	Line    int
	On, Key string // as of an Op
	Write   bool   // it stands on the left of an assignment
	How     How    // how the assignment makes the new value of the old one, if it does
}

// How is how an assignment makes the new value of a variable of its old one.
type How string

// The assignments that read a variable and write it back.
const (
	Append How = "append" // x = append(x, y)
	Step   How = "step"   // x++, x += y, x = x + y
)

// Touches are the variables and fields that the lines of a file name. What is called is none of
// them, but what a method is called on is.
func Touches(fset *token.FileSet, file *ast.File) []Touch {
	var all []Touch
	for _, decl := range file.Decls {
		names, written, how := namesIn(decl), map[ast.Expr]bool{}, map[ast.Expr]How{}
		skip, called := map[ast.Node]bool{}, map[ast.Node]bool{}
		ast.Inspect(decl, func(n ast.Node) bool {
			if n == nil || skip[n] {
				return false
			}
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, x := range n.Lhs {
					written[target(x)], how[target(x)] = n.Tok != token.DEFINE, made(n, i)
				}
			case *ast.IncDecStmt:
				written[target(n.X)], how[target(n.X)] = true, Step
			case *ast.CallExpr:
				switch fun := ast.Unparen(n.Fun).(type) {
				case *ast.Ident:
					skip[fun] = true
				case *ast.SelectorExpr:
					called[fun] = true
				}
			case *ast.KeyValueExpr:
				skip[n.Key] = isName(n.Key)
			case *ast.SelectorExpr, *ast.Ident:
				x := n.(ast.Expr)
				if sel, ok := n.(*ast.SelectorExpr); ok {
					skip[sel.Sel] = true
				}
				if !called[n] && variable(x) {
					all = append(all, Touch{Line: fset.Position(x.Pos()).Line, On: text(x), Key: names.key(x), Write: written[x], How: how[x]})
				}
			}
			return true
		})
	}
	return all
}

// made is how an assignment makes the new value of its target at index i of the old one.
func made(n *ast.AssignStmt, i int) How {
	if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
		return Step
	}
	if n.Tok == token.DEFINE || len(n.Rhs) != len(n.Lhs) {
		return ""
	}
	old := text(n.Lhs[i])
	switch x := ast.Unparen(n.Rhs[i]).(type) {
	case *ast.CallExpr:
		if fun, ok := x.Fun.(*ast.Ident); ok && fun.Name == "append" && len(x.Args) > 0 && text(x.Args[0]) == old {
			return Append
		}
	case *ast.BinaryExpr:
		if text(x.X) == old || text(x.Y) == old {
			return Step
		}
	}
	return ""
}

func isName(x ast.Expr) bool { _, ok := x.(*ast.Ident); return ok }

// target is what an assignment to x changes: of an element, all of the map or the slice, and of
// what a pointer points to, the pointer's name.
func target(x ast.Expr) ast.Expr {
	for {
		switch n := ast.Unparen(x).(type) {
		case *ast.IndexExpr:
			x = n.X
		case *ast.StarExpr:
			x = n.X
		default:
			return n
		}
	}
}

// variable reports whether an expression is a name, or a chain of them, that Go itself gives
// no meaning to.
func variable(x ast.Expr) bool {
	for {
		switch n := ast.Unparen(x).(type) {
		case *ast.Ident:
			return n.Name != "_" && types.Universe.Lookup(n.Name) == nil
		case *ast.SelectorExpr:
			x = n.X
		default:
			return false
		}
	}
}

// Common is what both of two lines touch, if that is one thing beyond doubt. A write is to what
// is assigned to, where its line assigns.
func Common(a, b []Touch, writeA, writeB bool) (Touch, bool) {
	a, b = assigned(a, writeA), assigned(b, writeB)
	var both []Touch
	for _, t := range a {
		in := func(all []Touch) bool { return slices.ContainsFunc(all, func(o Touch) bool { return o.Key == t.Key }) }
		if in(b) && !in(both) {
			both = append(both, t)
		}
	}
	if len(both) == 0 {
		return Touch{}, false
	}
	longest := slices.MaxFunc(both, func(x, y Touch) int { return len(x.Key) - len(y.Key) })
	for _, t := range both { // q and q.items are named by q.items
		if t.Key != longest.Key && !strings.HasPrefix(longest.On, t.On+".") {
			return Touch{}, false
		}
	}
	return longest, true
}

// assigned are the targets among what a line touches, if it writes and has any.
func assigned(line []Touch, write bool) []Touch {
	var targets []Touch
	for _, t := range line {
		if t.Write {
			targets = append(targets, t)
		}
	}
	if write && len(targets) > 0 {
		return targets
	}
	return line
}
