package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

var ofGoroutines = []Operator{
	{"un-defer", "a deferred call happens at once", unDefer},
	{"no-go", "go f(), or wg.Go(f), becomes f()", noGo},
	{"go", "f() becomes go f()", goCall},
	{"untracked", "wg.Go(f) becomes go f(): nobody waits for it", untracked},
	{"late-add", "wg.Add is called inside the goroutine that it counts", lateAdd},
	{"signal", "Signal in the place of Broadcast, and the other way round", signal},
	{"wait-if", "if in the place of for around a Wait", waitIf},
	{"always", "a sync.Once that is none", always},
	{"detach", "a derived context that does not end with its parent", detach},
}

func unDefer(s *site) {
	d, ok := s.node.(*ast.DeferStmt)
	if !ok {
		return
	}
	if list, at := s.siblings(); at > 0 {
		receiver, unlock, _ := s.method(d)
		if r, lock, _ := s.method(list[at-1]); r == receiver && undo(lock) == unlock && r != "" {
			return // as good as no lock at all: drop-lock
		}
	}
	s.mutant(s.cut(d.Defer, d.Call.Pos()))
}

func noGo(s *site) {
	switch n := s.node.(type) {
	case *ast.GoStmt:
		s.mutant(s.cut(n.Go, n.Call.Pos()))
	case *ast.ExprStmt:
		if call := s.groupGo(n); call != nil {
			s.wrap(call, "(", ")()")
		}
	}
}

// groupGo is the call if a statement is wg.Go(f), of a WaitGroup or an errgroup.Group.
func (s *site) groupGo(n *ast.ExprStmt) *ast.CallExpr {
	call, _ := callOf(n)
	if call == nil || len(call.Args) != 1 {
		return nil
	}
	switch s.callee(call) {
	case "(*sync.WaitGroup).Go", "(*golang.org/x/sync/errgroup.Group).Go":
		return call
	}
	return nil
}

// wrap puts texts in the place of what stands before and behind a call's only argument.
func (s *site) wrap(call *ast.CallExpr, before, after string) {
	s.mutant(
		edit{s.offset(call.Pos()), s.offset(call.Args[0].Pos()), before},
		edit{s.offset(call.Args[0].End()), s.offset(call.End()), after},
	)
}

func goCall(s *site) {
	stmt, ok := s.node.(*ast.ExprStmt)
	if !ok {
		return
	}
	call, _ := callOf(stmt)
	if call == nil || s.info.Types[call.Fun].IsBuiltin() || s.cancels(call.Fun) || s.library(call) {
		return
	}
	if _, at := s.siblings(); at >= 0 {
		s.mutant(insert(s.offset(stmt.Pos()), "go "))
	}
}

// library reports whether a call is of a function of another module: nobody would call
// mux.Handle or cond.Wait in a goroutine of its own.
func (s *site) library(call *ast.CallExpr) bool {
	o, ok := s.called(call).(*types.Func)
	if !ok || o.Pkg() == nil {
		return false
	}
	host, _, _ := strings.Cut(o.Pkg().Path(), "/")
	return !strings.HasPrefix(s.path, host+"/")
}

// cancels reports whether a function is the cancel of a context: when that is called is
// not a matter of a few microseconds.
func (s *site) cancels(fun ast.Expr) bool {
	return s.is(fun, "context.CancelFunc") || s.is(fun, "context.CancelCauseFunc")
}

func untracked(s *site) {
	stmt, ok := s.node.(*ast.ExprStmt)
	if !ok {
		return
	}
	if call := s.groupGo(stmt); call != nil {
		s.wrap(call, "go (", ")()")
	}
}

func lateAdd(s *site) {
	receiver, name, deferred := s.method(s.node)
	if deferred {
		return
	}
	if name == "Go" && s.groupGo(s.node.(*ast.ExprStmt)) != nil {
		call, _ := callOf(s.node)
		s.wrap(call, "go func() { "+receiver+".Add(1); defer "+receiver+".Done(); (", ")() }()")
		return
	}
	list, at := s.siblings()
	if name != "Add" || at < 0 {
		return
	}
	for _, stmt := range list[at+1:] {
		g, ok := stmt.(*ast.GoStmt)
		if !ok {
			continue
		}
		if lit, ok := g.Call.Fun.(*ast.FuncLit); ok {
			s.statement(s.drop(s.node), insert(s.offset(lit.Body.Lbrace)+1, " "+s.text(s.node)+"; "))
			return
		}
	}
}

func signal(s *site) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok {
		return
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch s.callee(call) {
	case "(*sync.Cond).Signal":
		s.mutant(s.replace(sel.Sel, "Broadcast"))
	case "(*sync.Cond).Broadcast":
		s.mutant(s.replace(sel.Sel, "Signal"))
	}
}

func waitIf(s *site) {
	loop, ok := s.node.(*ast.ForStmt)
	if !ok || loop.Cond == nil || loop.Init != nil || loop.Post != nil {
		return
	}
	waits := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && s.callee(call) == "(*sync.Cond).Wait" {
			waits = true
		}
		return true
	})
	if waits {
		at := s.offset(loop.For)
		s.mutant(edit{at, at + len(token.FOR.String()), token.IF.String()})
	}
}

func always(s *site) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	switch s.callee(call) {
	case "(*sync.Once).Do":
		s.wrap(call, "(", ")()")
	case "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues":
		s.wrap(call, "(", ")")
	}
}

func detach(s *site) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	o, ok := s.called(call).(*types.Func)
	if _, made := call.Args[0].(*ast.CallExpr); made {
		return // context.Background() has no end
	}
	if ok && o.Pkg() != nil && o.Pkg().Path() == "context" && strings.HasPrefix(o.Name(), "With") && o.Name() != "WithoutCancel" {
		pkg := strings.TrimSuffix(s.text(call.Fun), o.Name())
		s.mutant(s.replace(call.Args[0], pkg+"WithoutCancel("+s.text(call.Args[0])+")"))
	}
}
