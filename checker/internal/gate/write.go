package gate

import (
	"go/ast"
	"go/token"
)

const writeHelp = "Work on a variable or a copy of your own."

// checkWrites refuses what can change a variable of another package: the tests, the
// standard library and other solutions in the process rely on it. Reading one is
// free, and so is &pkg.Type{…}, which makes a new value.
func (g *inspection) checkWrites(f *file) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, target := range n.Lhs {
				g.checkTarget(f, target)
			}
		case *ast.IncDecStmt:
			g.checkTarget(f, n.X)
		case *ast.RangeStmt:
			g.checkTarget(f, n.Key)
			g.checkTarget(f, n.Value)
		case *ast.UnaryExpr:
			if name := g.foreignRoot(f, n.X); n.Op == token.AND && name != "" {
				g.add(n.Pos(), GlobalWrite, writeHelp, "The address of %s, a variable of another package, lets it be changed.", name)
			}
		case *ast.CallExpr:
			g.checkBuiltinWrite(f, n)
		}
		return true
	})
}

func (g *inspection) checkTarget(f *file, target ast.Expr) {
	if target == nil {
		return
	}
	if name := g.foreignRoot(f, target); name != "" {
		g.add(target.Pos(), GlobalWrite, writeHelp, "This changes %s, a variable of another package.", name)
	}
}

// checkBuiltinWrite knows the predeclared functions that write to their first argument.
func (g *inspection) checkBuiltinWrite(f *file, call *ast.CallExpr) {
	if len(call.Args) == 0 {
		return
	}
	fun := ast.Unparen(call.Fun)
	if g.predeclared(fun, "copy") || g.predeclared(fun, "clear") || g.predeclared(fun, "delete") {
		g.checkTarget(f, call.Args[0])
	}
}

// foreignRoot returns the name of the other package's variable of which e is the
// whole or a part, or "". The result of a call is nobody's variable.
func (g *inspection) foreignRoot(f *file, e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if _, name, ok := g.foreign(f, x); ok {
				return clip(x.X.(*ast.Ident).Name + "." + name)
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		default:
			return ""
		}
	}
}
