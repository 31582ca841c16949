package mutate

import (
	"go/ast"
	"slices"
	"strings"
)

var ofLocks = []Operator{
	{"drop-lock", "a Lock and the Unlocks that belong to it are gone", dropLock},
	{"shrink-lock", "a locked section begins a statement later, or ends one earlier", shrinkLock},
	{"hold-lock", "an Unlock and the Lock after it are gone: the lock is held in between", holdLock},
	{"read-lock", "RLock in the place of Lock", readLock},
}

// unlocks are the statements that undo the lock at the site's node: those that stand behind
// it in the same function and before the next such lock.
func (s *site) unlocks(receiver, lock string) []ast.Stmt {
	body := s.enclosing()
	if body == nil {
		return nil
	}
	end := body.End()
	var found []ast.Stmt
	ast.Inspect(body, func(n ast.Node) bool {
		stmt, ok := n.(ast.Stmt)
		if !ok || stmt.Pos() <= s.node.Pos() || stmt.Pos() >= end {
			return true
		}
		switch r, name, _ := s.method(stmt); {
		case r != receiver:
		case name == lock:
			end = stmt.Pos()
		case name == undo(lock):
			found = append(found, stmt)
		}
		return true
	})
	return slices.DeleteFunc(found, func(stmt ast.Stmt) bool { return stmt.Pos() >= end })
}

// undo is the method that undoes a lock: Unlock for Lock, RUnlock for RLock.
func undo(lock string) string { return strings.Replace(lock, "Lock", "Unlock", 1) }

// locks returns the receiver and the method if the site's node is a lock that is not deferred.
func (s *site) locks() (receiver, lock string, ok bool) {
	receiver, lock, deferred := s.method(s.node)
	return receiver, lock, !deferred && (lock == "Lock" || lock == "RLock")
}

func dropLock(s *site) {
	receiver, lock, ok := s.locks()
	if !ok {
		return
	}
	edits := []edit{s.drop(s.node)}
	for _, stmt := range s.unlocks(receiver, lock) {
		edits = append(edits, s.drop(stmt))
	}
	if len(edits) > 1 {
		s.statement(edits...)
	}
}

func shrinkLock(s *site) {
	receiver, lock, ok := s.locks()
	list, at := s.siblings()
	if !ok || at < 0 {
		return
	}
	rest := list[at+1:]
	if len(rest) == 0 {
		return
	}
	if r, name, deferred := s.method(rest[0]); deferred && r == receiver && name == undo(lock) {
		s.shrinkToReturn(rest[0], rest[1:], receiver+"."+undo(lock)+"()")
		return
	}
	to := slices.IndexFunc(rest, func(stmt ast.Stmt) bool {
		r, name, _ := s.method(stmt)
		return r == receiver && name == undo(lock)
	})
	if to < 2 {
		return // nothing is left to lock
	}
	s.swap(s.node, rest[0])
	s.swap(rest[to-1], rest[to])
}

// shrinkToReturn shrinks a section that ends with the function.
func (s *site) shrinkToReturn(deferred ast.Stmt, rest []ast.Stmt, unlock string) {
	if len(rest) < 2 {
		return
	}
	lock := s.text(s.node) + "\n" + s.indent(s.node) + s.text(deferred)
	s.mutant(
		s.cut(s.node.Pos(), rest[0].Pos()),
		insert(s.offset(rest[0].End()), "\n"+s.indent(s.node)+lock),
	)
	last := rest[len(rest)-1]
	if !s.private(last) {
		s.statement(s.drop(deferred), insert(s.offset(last.Pos()), unlock+"\n"+s.indent(last)))
	}
}

// private reports whether a statement returns nothing but constants and variables, which need
// no lock that their fields and elements do.
func (s *site) private(stmt ast.Stmt) bool {
	r, ok := stmt.(*ast.ReturnStmt)
	if !ok {
		return false
	}
	return !slices.ContainsFunc(r.Results, func(e ast.Expr) bool {
		switch e.(type) {
		case *ast.Ident, *ast.BasicLit:
			return false
		}
		return true
	})
}

// swap exchanges two statements that follow each other.
func (s *site) swap(a, b ast.Node) {
	s.mutant(s.replace(a, s.text(b)), s.replace(b, s.text(a)))
}

func holdLock(s *site) {
	receiver, unlock, deferred := s.method(s.node)
	list, at := s.siblings()
	if deferred || at < 0 || unlock != "Unlock" && unlock != "RUnlock" {
		return
	}
	for _, stmt := range list[at+1:] {
		if r, name, d := s.method(stmt); r == receiver && !d && undo(name) == unlock {
			s.statement(s.drop(s.node), s.drop(stmt))
			return
		}
	}
}

func readLock(s *site) {
	receiver, lock, ok := s.locks()
	if !ok || lock != "Lock" {
		return
	}
	call, _ := callOf(s.node)
	if s.callee(call) != "(*sync.RWMutex).Lock" {
		return
	}
	var edits []edit
	for _, stmt := range append([]ast.Stmt{s.node.(ast.Stmt)}, s.unlocks(receiver, lock)...) {
		call, _ := callOf(stmt)
		edits = append(edits, insert(s.offset(call.Fun.(*ast.SelectorExpr).Sel.Pos()), "R"))
	}
	s.mutant(edits...)
}
