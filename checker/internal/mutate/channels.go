package mutate

import (
	"go/ast"
	"go/types"
)

var ofChannels = []Operator{
	{"drop-case", "a select or switch without one of its cases", dropCase},
	{"add-default", "a select that does not wait", addDefault},
	{"close-twice", "a channel that is closed twice", closeTwice},
	{"buffer", "a channel with a buffer where there was none", buffer},
	{"unbuffer", "a channel without its buffer", unbuffer},
}

func dropCase(s *site) {
	switch s.node.(type) {
	case *ast.CommClause, *ast.CaseClause:
		s.mutant(s.drop(s.node))
	}
}

func addDefault(s *site) {
	sel, ok := s.node.(*ast.SelectStmt)
	if !ok {
		return
	}
	for _, clause := range sel.Body.List {
		if clause.(*ast.CommClause).Comm == nil {
			return
		}
	}
	s.mutant(insert(s.offset(sel.Body.Rbrace), "default:\n"+s.indent(sel)))
}

func closeTwice(s *site) {
	call, _ := callOf(s.node)
	if call != nil && s.callee(call) == "close" {
		s.mutant(insert(s.offset(s.node.End()), "; "+s.text(s.node)))
	}
}

// makesChannel is the call if the site's node makes a channel.
func (s *site) makesChannel() *ast.CallExpr {
	call, ok := s.node.(*ast.CallExpr)
	if !ok || s.callee(call) != "make" {
		return nil
	}
	if _, ok := s.info.TypeOf(call).Underlying().(*types.Chan); !ok {
		return nil
	}
	return call
}

func buffer(s *site) {
	if call := s.makesChannel(); call != nil && len(call.Args) == 1 {
		s.mutant(insert(s.offset(call.Args[0].End()), ", 1"))
	}
}

func unbuffer(s *site) {
	if call := s.makesChannel(); call != nil && len(call.Args) == 2 {
		s.mutant(s.cut(call.Args[0].End(), call.Args[1].End()))
	}
}
