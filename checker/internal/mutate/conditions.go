package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

var ofConditions = []Operator{
	{"if-never", "a condition of an if or a loop that is never true", ifNever},
	{"if-always", "a condition of an if that is always true", ifAlways},
	{"operand", "a && or || without one of its operands", operand},
	{"boundary", "< in the place of <=, and the like", boundary},
	{"negate", "the opposite of a comparison, or of a !, whose value is used", negate},
}

func ifNever(s *site) {
	switch n := s.node.(type) {
	case *ast.IfStmt:
		s.mutant(insert(s.offset(n.Cond.Pos()), "("), insert(s.offset(n.Cond.End()), ") && false"))
	case *ast.ForStmt:
		if n.Cond != nil {
			s.mutant(insert(s.offset(n.Cond.Pos()), "("), insert(s.offset(n.Cond.End()), ") && false"))
		}
	}
}

func ifAlways(s *site) {
	if n, ok := s.node.(*ast.IfStmt); ok {
		s.mutant(insert(s.offset(n.Cond.Pos()), "("), insert(s.offset(n.Cond.End()), ") || true"))
	}
}

func operand(s *site) {
	if n, ok := s.node.(*ast.BinaryExpr); ok && (n.Op == token.LAND || n.Op == token.LOR) {
		s.mutant(s.cut(n.X.End(), n.End()))
		s.mutant(s.cut(n.Pos(), n.Y.Pos()))
	}
}

// operators replaces the operator of a binary expression.
func (s *site) operators(n *ast.BinaryExpr, to token.Token) {
	at := s.offset(n.OpPos)
	s.mutant(edit{at, at + len(n.Op.String()), to.String()})
}

func boundary(s *site) {
	if n, ok := s.node.(*ast.BinaryExpr); ok {
		if to, ok := map[token.Token]token.Token{
			token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
		}[n.Op]; ok {
			s.operators(n, to)
		}
	}
}

func negate(s *site) {
	if s.decides() {
		return
	}
	switch n := s.node.(type) {
	case *ast.BinaryExpr:
		switch n.Op {
		case token.EQL:
			s.operators(n, token.NEQ)
		case token.NEQ:
			s.operators(n, token.EQL)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			s.mutant(s.cut(n.OpPos, n.X.Pos()))
		}
	}
}

// decides reports whether the expression is a condition, an operand of one, or a result:
// other operators try both of its values.
func (s *site) decides() bool {
	switch p := s.parent().(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.ReturnStmt:
		return true
	case *ast.BinaryExpr:
		return p.Op == token.LAND || p.Op == token.LOR
	case ast.Expr:
		_, paren := p.(*ast.ParenExpr)
		return paren && types.Identical(s.info.TypeOf(p), types.Typ[types.Bool])
	}
	return false
}
