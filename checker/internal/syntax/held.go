package syntax

import (
	"go/ast"
	"go/token"
	"slices"
)

// Held is a stretch of a function in which it holds a lock that it has taken itself. Function
// literals between its lines are no part of it: they may run at another time.
type Held struct {
	From, To int      // the lines of it, both included,
	Free     [][2]int // without these: branches that release the lock and leave
	Lock     int      // the line that takes the lock
	Read     bool     // for reading
	On, Key  string   // as of an Op
	Func     [2]int   // the lines of the function, or of the function literal
}

// Holds reports whether the lock is held while the function is at a line.
func (h Held) Holds(line int) bool {
	return h.From <= line && line <= h.To &&
		!slices.ContainsFunc(h.Free, func(f [2]int) bool { return f[0] <= line && line <= f[1] })
}

// Locked are the stretches of a file in which a lock is held: from a Lock to the first Unlock on
// the way, or to the end of the block where the Unlock is deferred. A function that leaves the
// Unlock to another has none.
func Locked(fset *token.FileSet, file *ast.File) []Held {
	var all []Held
	for _, decl := range file.Decls {
		names := namesIn(decl)
		ast.Inspect(decl, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.FuncDecl:
				body = n.Body
			case *ast.FuncLit:
				body = n.Body
			}
			if body != nil {
				l := locks{fset: fset, names: names, body: body, fn: [2]int{fset.Position(n.Pos()).Line, fset.Position(n.End()).Line}}
				l.block(body.List, body.End())
				all = append(all, l.held...)
			}
			return true
		})
	}
	return all
}

// locks finds the stretches of one function.
type locks struct {
	fset  *token.FileSet
	names names
	body  *ast.BlockStmt
	fn    [2]int
	held  []Held
}

func (l *locks) line(p token.Pos) int { return l.fset.Position(p).Line }

// block finds those that begin among the statements of a block, and in the blocks within it.
func (l *locks) block(list []ast.Stmt, end token.Pos) {
	for i, stmt := range list {
		if on, does := called(stmt); does == "Lock" || does == "RLock" {
			l.take(on, does == "RLock", stmt, list[i+1:], end)
		}
		ast.Inspect(stmt, func(n ast.Node) bool {
			if _, literal := n.(*ast.FuncLit); literal {
				return false
			}
			inner, end := statements(n)
			if end.IsValid() {
				l.block(inner, end)
			}
			return !end.IsValid()
		})
	}
}

// statements are those of a block or of a case.
func statements(n ast.Node) (list []ast.Stmt, end token.Pos) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List, n.End()
	case *ast.CaseClause:
		return n.Body, n.End()
	case *ast.CommClause:
		return n.Body, n.End()
	}
	return nil, token.NoPos
}

// take follows a lock through the statements behind it.
func (l *locks) take(on ast.Expr, read bool, at ast.Stmt, rest []ast.Stmt, end token.Pos) {
	h := Held{From: l.line(at.End()) + 1, Lock: l.line(at.Pos()), To: l.line(end), Read: read, On: text(on), Key: l.names.key(on), Func: l.fn}
	free := "Unlock"
	if read {
		free = "RUnlock"
	}
	sure := l.defers(h.On, free)
	for _, stmt := range rest {
		if _, deferred := stmt.(*ast.DeferStmt); deferred {
			continue
		}
		if pos := l.frees(&h, stmt, free); pos.IsValid() {
			h.To, sure = l.line(pos)-1, true
			break
		}
	}
	if sure && h.From <= h.To {
		h.Free = append(h.Free, l.exits(at)...)
		l.held = append(l.held, h)
	}
}

// exits are the lines at which what was deferred before the lock may run, after the lock was
// released.
func (l *locks) exits(at ast.Stmt) [][2]int {
	earlier := false
	lines := [][2]int{{l.line(l.body.Rbrace), l.line(l.body.Rbrace)}}
	ast.Inspect(l.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			earlier = earlier || n.Pos() < at.Pos()
		case *ast.ReturnStmt:
			lines = append(lines, [2]int{l.line(n.Pos()), l.line(n.End())})
		}
		return true
	})
	if !earlier {
		return nil
	}
	return lines
}

// defers reports whether the function defers the release of a lock.
func (l *locks) defers(on, free string) bool {
	found := false
	ast.Inspect(l.body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && releases(d, on, free).IsValid() {
			found = true
		}
		return !found
	})
	return found
}

// frees is where a statement first releases the lock and goes on. Where a branch releases it and
// leaves, that is noted.
func (l *locks) frees(h *Held, stmt ast.Stmt, free string) token.Pos {
	first := token.NoPos
	ast.Inspect(stmt, func(n ast.Node) bool {
		if first.IsValid() || n == nil {
			return false
		}
		switch n.(type) {
		case *ast.FuncLit, *ast.DeferStmt:
			return false
		}
		if list, end := statements(n); end.IsValid() && leaves(list) {
			if pos := releases(n, h.On, free); pos.IsValid() {
				h.Free = append(h.Free, [2]int{l.line(pos), l.line(end)})
			}
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && frees(call, h.On, free) {
			first = call.Pos()
		}
		return true
	})
	return first
}

// leaves reports whether a block ends with a return. A break or a continue may lead to what
// stands behind the lock.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, ok := list[len(list)-1].(*ast.ReturnStmt)
	return ok
}

// releases is where a node first releases a lock. What it defers waits until the function returns,
// unless the node is the defer statement itself.
func releases(in ast.Node, on, free string) token.Pos {
	first := token.NoPos
	ast.Inspect(in, func(n ast.Node) bool {
		if _, deferred := n.(*ast.DeferStmt); deferred && n != in {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && !first.IsValid() && frees(call, on, free) {
			first = call.Pos()
		}
		return !first.IsValid()
	})
	return first
}

func frees(call *ast.CallExpr, on, free string) bool {
	x, does := method(call)
	return does == free && text(x) == on
}

// called is the method that a statement calls, and on what.
func called(stmt ast.Stmt) (on ast.Expr, name string) {
	if s, ok := stmt.(*ast.ExprStmt); ok {
		if call, ok := s.X.(*ast.CallExpr); ok {
			return method(call)
		}
	}
	return nil, ""
}
