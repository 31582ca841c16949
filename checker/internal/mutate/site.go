package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Operator is one kind of change.
type Operator struct {
	Name  string
	Does  string // in a few words
	apply func(*site)
}

// Operators are all kinds of change. Those of concurrent code come first. Of two mutants with the
// same text the first one stands.
//
// It is tempting to have a negated condition and a swap of && and ||, too. But whatever
// notices that a condition is always or never true notices its negation, and whatever notices
// that one operand is missing notices the swap: such mutants would only improve the numbers.
var Operators = slices.Concat(ofLocks, ofGoroutines, ofChannels, ofConditions, ofValues, ofStatements)

// site is a node at which operators are tried.
type site struct {
	*pkg
	file     *file
	decl     int    // the index of the declaration in the file
	name     string // of the declaration
	operator string
	node     ast.Node
	above    []ast.Node // the nodes around it, the nearest last
}

// mutant adds the mutant that edits make.
func (s *site) mutant(edits ...edit) { s.add(inOrder(edits), false) }

// statement adds a mutant whose first edit replaces statements.
func (s *site) statement(edits ...edit) { s.add(inOrder(edits), true) }

// parent is the node around the site's, or nil.
func (s *site) parent() ast.Node {
	if len(s.above) == 0 {
		return nil
	}
	return s.above[len(s.above)-1]
}

// enclosing is the body of the innermost function around the site's node, or nil.
func (s *site) enclosing() *ast.BlockStmt {
	for _, n := range slices.Backward(s.above) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return nil
}

// signature is the type of the innermost function around the site's node.
func (s *site) signature() *ast.FuncType {
	for _, n := range slices.Backward(s.above) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Type
		case *ast.FuncDecl:
			return n.Type
		}
	}
	return nil
}

// replace is the edit that puts text in the place of n.
func (s *site) replace(n ast.Node, text string) edit {
	return edit{s.offset(n.Pos()), s.offset(n.End()), text}
}

// drop is the edit that takes n away.
func (s *site) drop(n ast.Node) edit { return s.replace(n, "") }

// cut is the edit that takes away what stands between two places.
func (s *site) cut(from, to token.Pos) edit { return edit{s.offset(from), s.offset(to), ""} }

// text is how n stands in the source.
func (s *site) text(n ast.Node) string { return text(s.file, s.fset, n.Pos(), n.End()) }

// indent is the white space before the statement n.
func (s *site) indent(n ast.Node) string {
	at := s.offset(n.Pos())
	start := at
	for start > 0 && (s.file.text[start-1] == '\t' || s.file.text[start-1] == ' ') {
		start--
	}
	return string(s.file.text[start:at])
}

// siblings are the statements of the list in which the site's node stands, and its place
// among them, or -1.
func (s *site) siblings() ([]ast.Stmt, int) {
	var list []ast.Stmt
	switch p := s.parent().(type) {
	case *ast.BlockStmt:
		list = p.List
	case *ast.CaseClause:
		list = p.Body
	case *ast.CommClause:
		if p.Comm == s.node {
			return nil, -1
		}
		list = p.Body
	}
	return list, slices.IndexFunc(list, func(stmt ast.Stmt) bool { return ast.Node(stmt) == s.node })
}

// callOf is the call that a statement consists of, and whether it is deferred, or nil.
func callOf(n ast.Node) (call *ast.CallExpr, deferred bool) {
	switch n := n.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(n.X).(*ast.CallExpr)
		return call, false
	case *ast.DeferStmt:
		return n.Call, true
	}
	return nil, false
}

// callee is the full name of the function that is called: "close", "slices.Clone",
// "(*sync.Mutex).Lock"; "" if it is a value.
func (s *site) callee(call *ast.CallExpr) string {
	switch o := s.called(call).(type) {
	case *types.Func:
		return o.FullName()
	case *types.Builtin:
		return o.Name()
	}
	return ""
}

// called is the object that is called, or nil.
func (s *site) called(call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	switch indexed := fun.(type) {
	case *ast.IndexExpr:
		fun = indexed.X
	case *ast.IndexListExpr:
		fun = indexed.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return s.info.Uses[fun]
	case *ast.SelectorExpr:
		return s.info.Uses[fun.Sel]
	}
	return nil
}

// method is the receiver, as it stands in the source, and the name of a method of package
// sync that a statement calls; deferred or not.
func (s *site) method(n ast.Node) (receiver, name string, deferred bool) {
	call, deferred := callOf(n)
	if call == nil {
		return "", "", false
	}
	full := s.callee(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(full, "(*sync.") && !strings.HasPrefix(full, "(sync.") {
		return "", "", false
	}
	return s.text(sel.X), sel.Sel.Name, deferred
}

// is reports whether an expression has a type with this name, pointer or not.
func (s *site) is(e ast.Expr, name string) bool {
	t := s.info.TypeOf(e)
	if t == nil {
		return false
	}
	return strings.TrimPrefix(t.String(), "*") == name
}

// basic reports whether an expression has a basic type with these properties.
func (s *site) basic(e ast.Expr, info types.BasicInfo) bool {
	t := s.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

// variablesWritten are the variables that something is assigned to after their
// declaration, or whose address is taken.
func (p *pkg) variablesWritten() map[types.Object]bool {
	written := map[types.Object]bool{}
	note := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.Ident:
				if o := p.info.Uses[x]; o != nil {
					written[o] = true
				}
				return
			default:
				return
			}
		}
	}
	for _, f := range p.files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					note(left)
				}
			case *ast.IncDecStmt:
				note(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n.X)
				}
			case *ast.RangeStmt:
				for _, left := range []ast.Expr{n.Key, n.Value} {
					if left != nil {
						note(left)
					}
				}
			}
			return true
		})
	}
	return written
}
