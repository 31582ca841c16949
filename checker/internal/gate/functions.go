package gate

import (
	"go/ast"
	"go/token"
)

const (
	maxStatements = 1000 // of one function: the compiler's time and memory grow faster than the function
	maxLiterals   = 2000 // function literals in one file: each is a function to the compiler
)

// checkBuiltins refuses the predeclared print and println. They write to standard
// error past every recorder, and code that needs no import is easily overlooked.
func (g *inspection) checkBuiltins(f *file) {
	for _, id := range f.syntax.Unresolved {
		if (id.Name == "print" || id.Name == "println") && g.object(id) == nil {
			g.add(id.Pos(), Builtin, "For debugging use fmt.Println.", "The builtin %s writes past the checker.", id.Name)
		}
	}
}

// checkFunctions judges declarations of functions: none runs before main, none is
// written in assembly, none is too long.
func (g *inspection) checkFunctions(f *file) {
	for _, decl := range f.syntax.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			g.checkLength(decl, "This declaration")
			continue
		}
		if fn.Recv == nil && fn.Name.Name == "init" {
			g.add(fn.Pos(), Init, "Do the work where it is needed, or guard it with a sync.Once.",
				"A func init runs before the tests and is not allowed.")
		}
		if fn.Body == nil {
			g.add(fn.Pos(), Assembly, "Write the body in Go.", "The function %s has no body here.", clip(fn.Name.Name))
			continue
		}
		g.checkLength(fn.Body, "The function "+clip(fn.Name.Name))
	}
}

// checkLiterals counts the function literals of a file.
func (g *inspection) checkLiterals(f *file) {
	count := 0
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			if count++; count == maxLiterals+1 {
				g.add(lit.Pos(), Size, "Use one function with parameters.", "The file has more than 2000 function literals.")
			}
		}
		return true
	})
}

// checkLength counts the statements below n, those of nested functions too.
func (g *inspection) checkLength(n ast.Node, what string) {
	count, first := 0, token.NoPos
	ast.Inspect(n, func(n ast.Node) bool {
		if stmt, ok := n.(ast.Stmt); ok {
			if count++; count == 1 {
				first = stmt.Pos()
			}
		}
		return true
	})
	if count > maxStatements {
		g.add(first, Size, "Split it into smaller functions.", "%s has more than 1000 statements.", what)
	}
}
