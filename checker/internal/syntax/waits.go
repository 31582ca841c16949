package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Op is an operation that can block.
type Op struct {
	Line int
	Does string   // "send", "receive", "range", "select", "Lock", "RLock" or "Wait"
	On   string   // as written: "q.mu", "ctx.Done()"; empty for a select
	Key  string   // what On is called wherever its type or its function uses it: "Queue.mu"
	Ways []string // the cases of a select: "receive from ctx.Done()", "a default"
}

// Ops are the operations of a file that can block. That what is ranged over is a channel is
// for the caller to know.
func Ops(fset *token.FileSet, file *ast.File) []Op {
	var ops []Op
	for _, decl := range file.Decls {
		names := namesIn(decl)
		add := func(at token.Pos, does string, on ast.Expr) {
			ops = append(ops, Op{Line: fset.Position(at).Line, Does: does, On: text(on), Key: names.key(on)})
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt:
				ops = append(ops, Op{Line: fset.Position(n.Pos()).Line, Does: "select", Ways: ways(n)})
			case *ast.SendStmt:
				add(n.Arrow, "send", n.Chan)
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					add(n.Pos(), "receive", n.X)
				}
			case *ast.RangeStmt:
				add(n.Pos(), "range", n.X)
			case *ast.CallExpr:
				if on, does := method(n); does == "Lock" || does == "RLock" || does == "Wait" {
					add(n.Pos(), does, on)
				}
			}
			return true
		})
	}
	return ops
}

// Closes are the calls of close in a file, with the channel as it is written.
func Closes(fset *token.FileSet, file *ast.File) []Op {
	var all []Op
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		if fn, ok := call.Fun.(*ast.Ident); ok && fn.Name == "close" {
			all = append(all, Op{Line: fset.Position(call.Pos()).Line, Does: "close", On: text(call.Args[0])})
		}
		return true
	})
	return all
}

// ways are the cases of a select, in words.
func ways(s *ast.SelectStmt) []string {
	var all []string
	for _, c := range s.Body.List {
		clause, ok := c.(*ast.CommClause)
		if !ok {
			continue
		}
		way := "a default"
		switch comm := clause.Comm.(type) {
		case *ast.SendStmt:
			way = "send on " + text(comm.Chan)
		case *ast.ExprStmt:
			way = "receive from " + received(comm.X)
		case *ast.AssignStmt:
			way = "receive from " + received(comm.Rhs[0])
		}
		all = append(all, way)
	}
	return all
}

func received(x ast.Expr) string {
	if arrow, ok := ast.Unparen(x).(*ast.UnaryExpr); ok {
		x = arrow.X
	}
	return text(x)
}

// method is what a call without arguments is made on, and the method's name.
func method(call *ast.CallExpr) (on ast.Expr, name string) {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && len(call.Args) == 0 {
		return sel.X, sel.Sel.Name
	}
	return nil, ""
}

// names says what the names of a declaration stand for.
type names struct {
	function       string // "Queue.Add"
	receiver, base string // "q", "Queue"
}

func namesIn(decl ast.Decl) names {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok {
		return names{}
	}
	n := names{function: fn.Name.Name}
	if base, _ := Receiver(fn); base != nil {
		n.base, n.function = base.Name, base.Name+"."+fn.Name.Name
		if list := fn.Recv.List[0].Names; len(list) > 0 {
			n.receiver = list[0].Name
		}
	}
	return n
}

// key names what an expression stands for: a field by its type where it is the receiver's, and
// everything else by its function, since another function may mean another thing.
func (n names) key(x ast.Expr) string {
	text, root := text(x), x
	for {
		sel, ok := ast.Unparen(root).(*ast.SelectorExpr)
		if !ok {
			break
		}
		root = sel.X
	}
	if id, ok := ast.Unparen(root).(*ast.Ident); ok && n.receiver != "" && id.Name == n.receiver {
		return n.base + text[len(id.Name):]
	}
	return n.function + ": " + text
}

// text is an expression as it is written, with function literals and composite values shortened.
func text(x ast.Expr) string { return types.ExprString(x) }
