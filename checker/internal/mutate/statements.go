package mutate

import (
	"go/ast"
	"go/token"
	"slices"
)

var ofStatements = []Operator{
	{"drop-statement", "a call, an assignment, a send, a defer, a jump that is not there", dropStatement},
}

func dropStatement(s *site) {
	stmt, ok := s.node.(ast.Stmt)
	if !ok || !s.droppable(stmt) {
		return
	}
	if !s.alone() {
		s.statement(s.drop(stmt))
	}
}

func (s *site) droppable(stmt ast.Stmt) bool {
	switch n := stmt.(type) {
	case *ast.ExprStmt:
		if clause, ok := s.parent().(*ast.CommClause); ok && clause.Comm == stmt {
			return false
		}
		if call, _ := callOf(n); call != nil && s.logs(call) {
			return false
		}
		_, name, deferred := s.method(n)
		return deferred || name != "Lock" && name != "RLock" // without it the Unlock crashes at once
	case *ast.SendStmt:
		clause, ok := s.parent().(*ast.CommClause)
		return !ok || clause.Comm != stmt
	case *ast.AssignStmt:
		if clause, ok := s.parent().(*ast.CommClause); ok && clause.Comm == stmt {
			return false
		}
		blank := slices.IndexFunc(n.Lhs, func(e ast.Expr) bool { return s.text(e) != "_" }) < 0
		return n.Tok != token.DEFINE && !blank
	case *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	case *ast.BranchStmt:
		return n.Tok == token.BREAK || n.Tok == token.CONTINUE
	case *ast.ReturnStmt:
		return len(n.Results) == 0 && !s.endsFunction()
	}
	return false
}

// logs reports whether a call writes a line for people.
func (s *site) logs(call *ast.CallExpr) bool {
	o := s.called(call)
	return o != nil && o.Pkg() != nil && (o.Pkg().Path() == "log" || o.Pkg().Path() == "log/slog")
}

// alone reports whether the site's node is all that an if without else does, or a function
// that is called where it stands: without that the if or the call is empty, which other
// mutants are.
func (s *site) alone() bool {
	if list, at := s.siblings(); at < 0 || len(list) != 1 || len(s.above) < 3 {
		return false
	}
	switch n := s.above[len(s.above)-2].(type) {
	case *ast.IfStmt:
		return n.Else == nil
	case *ast.FuncLit:
		call, ok := s.above[len(s.above)-3].(*ast.CallExpr)
		return ok && call.Fun == n
	}
	return false
}

// endsFunction reports whether the site's node is the last statement of its function.
func (s *site) endsFunction() bool {
	body := s.enclosing()
	return body != nil && s.parent() == ast.Node(body) && ast.Node(body.List[len(body.List)-1]) == s.node
}
