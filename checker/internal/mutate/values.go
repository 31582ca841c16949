package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

var ofValues = []Operator{
	{"arithmetic", "- in the place of +, / of *, and the other way round", arithmetic},
	{"constant", "a number one larger, 0 for 1, another truth value, an empty string", constant},
	{"extreme", "max in the place of min, and the other way round", extreme},
	{"no-copy", "the value itself in the place of a copy", noCopy},
	{"drop-field", "a composite literal without one of its fields", dropField},
	{"zero-result", "a result that is zero; an error that is swallowed", zeroResult},
}

var opposite = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

func arithmetic(s *site) {
	switch n := s.node.(type) {
	case *ast.BinaryExpr:
		if to, ok := opposite[n.Op]; ok && s.basic(n.X, types.IsNumeric) && !s.unit(n) {
			s.operators(n, to)
		}
	case *ast.IncDecStmt:
		at := s.offset(n.TokPos)
		s.mutant(edit{at, at + 2, opposite[n.Tok].String()})
	case *ast.AssignStmt:
		if to, ok := opposite[n.Tok]; ok && s.basic(n.Lhs[0], types.IsNumeric) {
			at := s.offset(n.TokPos)
			s.mutant(edit{at, at + 2, to.String()})
		}
	}
}

// unit reports whether an expression is a constant duration such as 5 * time.Second: its
// number is mutated.
func (s *site) unit(n *ast.BinaryExpr) bool {
	return s.info.Types[n].Value != nil && n.Op == token.MUL && s.is(n, "time.Duration")
}

func constant(s *site) {
	switch n := s.node.(type) {
	case *ast.BasicLit:
		s.literal(n)
	case *ast.Ident:
		if o, ok := s.info.Uses[n].(*types.Const); ok && o.Parent() == types.Universe && (n.Name == "true" || n.Name == "false") {
			if n.Name == "false" || !s.initializes(n) {
				s.mutant(s.replace(n, strconv.FormatBool(n.Name == "false")))
			}
		}
	}
}

func (s *site) literal(n *ast.BasicLit) {
	if s.immaterial(n) {
		return
	}
	switch n.Kind {
	case token.INT, token.FLOAT:
		number, err := strconv.ParseInt(n.Value, 0, 64)
		if err != nil {
			s.mutant(s.replace(n, "("+n.Value+" + 1)"))
			return
		}
		s.mutant(s.replace(n, strconv.FormatInt(number+1, 10)))
		if number == 1 && !s.buffers(n) && !s.initializes(n) {
			s.mutant(s.replace(n, "0"))
		}
	case token.STRING:
		if unquoted, err := strconv.Unquote(n.Value); err == nil && unquoted != "" && !s.initializes(n) {
			s.mutant(s.replace(n, `""`))
		}
	}
}

// buffers reports whether a literal is the size of a channel's buffer: without that it is
// what unbuffer makes.
func (s *site) buffers(n *ast.BasicLit) bool {
	call, ok := s.parent().(*ast.CallExpr)
	return ok && s.callee(call) == "make" && call.Args[1] == ast.Expr(n)
}

// initializes reports whether an expression is the value of a struct's field: without the
// field it would be zero, which is what drop-field makes.
func (s *site) initializes(e ast.Expr) bool {
	kv, ok := s.parent().(*ast.KeyValueExpr)
	if !ok || kv.Value != e {
		return false
	}
	_, isStruct := s.info.TypeOf(s.above[len(s.above)-2].(ast.Expr)).Underlying().(*types.Struct)
	return isStruct
}

// immaterial reports whether nothing follows from a literal: a capacity, a tag, a word of
// a message.
func (s *site) immaterial(n *ast.BasicLit) bool {
	if f, ok := s.parent().(*ast.Field); ok && f.Tag == n {
		return true
	}
	inner := ast.Node(n)
	for _, above := range slices.Backward(s.above) {
		switch above := above.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ArrayType:
			return true
		case *ast.CallExpr:
			if s.capacity(above, inner) || n.Kind == token.STRING && s.speaks(above) {
				return true
			}
		}
		inner = above
	}
	return false
}

// capacity reports whether arg is the capacity of a slice, or the size of a map, that is made.
func (s *site) capacity(call *ast.CallExpr, arg ast.Node) bool {
	if s.callee(call) != "make" {
		return false
	}
	_, isMap := s.info.TypeOf(call).Underlying().(*types.Map)
	at := slices.IndexFunc(call.Args, func(a ast.Expr) bool { return ast.Node(a) == arg })
	return at == 2 || at == 1 && isMap
}

// speaks reports whether a call makes a message for people.
func (s *site) speaks(call *ast.CallExpr) bool {
	o := s.called(call)
	if o == nil {
		return false
	}
	if o.Pkg() == nil {
		return o.Name() == "panic"
	}
	return slices.Contains([]string{"fmt", "errors", "log", "log/slog"}, o.Pkg().Path()) || o.Name() == "Error"
}

func extreme(s *site) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return
	}
	switch s.callee(call) {
	case "min":
		s.mutant(s.replace(call.Fun, "max"))
	case "max":
		s.mutant(s.replace(call.Fun, "min"))
	}
}

func noCopy(s *site) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok {
		return
	}
	o, ok := s.called(call).(*types.Func)
	switch {
	case s.callee(call) == "append" && len(call.Args) == 2 && call.Ellipsis.IsValid():
		if s.empty(call.Args[0]) {
			s.mutant(s.replace(call, s.text(call.Args[1])))
		}
	case !ok || o.Name() != "DeepCopy" && o.Name() != "Clone":
	case len(call.Args) == 1:
		s.mutant(s.replace(call, s.text(call.Args[0])))
	case len(call.Args) == 0:
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			s.mutant(s.replace(call, s.text(sel.X)))
		}
	}
}

// empty reports whether an expression is a slice with nothing in it: []T{}, []T(nil).
func (s *site) empty(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		return len(e.Args) == 1 && s.text(e.Args[0]) == "nil"
	}
	return false
}

func dropField(s *site) {
	lit, ok := s.node.(*ast.CompositeLit)
	if !ok {
		return
	}
	if _, ok := s.info.TypeOf(lit).Underlying().(*types.Struct); !ok {
		return
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); !ok || s.isZero(kv.Value) {
			continue
		}
		from, to := e.Pos(), e.End()
		switch {
		case i+1 < len(lit.Elts):
			to = lit.Elts[i+1].Pos()
		case i > 0:
			from = lit.Elts[i-1].End()
		default:
			to = lit.Rbrace
		}
		s.mutant(s.cut(from, to))
	}
}

func zeroResult(s *site) {
	r, ok := s.node.(*ast.ReturnStmt)
	if !ok || len(r.Results) == 0 {
		return
	}
	results := s.resultTypes()
	if len(r.Results) != len(results) { // return f()
		s.statement(s.replace(r, "return "+strings.Join(s.zeros(results), ", ")))
		return
	}
	for i, e := range r.Results {
		for _, value := range s.otherResults(e, results[i]) {
			s.statement(s.replaceIn(r, e, value))
		}
	}
}

// replaceIn is the edit of the statement n that replaces e in it.
func (s *site) replaceIn(n, e ast.Node, value string) edit {
	whole, at := s.text(n), s.offset(n.Pos())
	return s.replace(n, whole[:s.offset(e.Pos())-at]+value+whole[s.offset(e.End())-at:])
}

// otherResults are the values to return in the place of e.
func (s *site) otherResults(e, result ast.Expr) []string {
	if s.basic(result, types.IsBoolean) {
		switch s.text(e) {
		case "true", "false":
			return nil // a constant
		}
		return []string{"true", "false"}
	}
	if s.isZero(e) {
		return nil
	}
	return []string{s.zero(result)}
}

// resultTypes are the types of a function's results, one for each.
func (s *site) resultTypes() []ast.Expr {
	var all []ast.Expr
	for _, field := range s.signature().Results.List {
		for range max(len(field.Names), 1) {
			all = append(all, field.Type)
		}
	}
	return all
}

func (s *site) zeros(results []ast.Expr) []string {
	var all []string
	for _, t := range results {
		all = append(all, s.zero(t))
	}
	return all
}

// zero is the zero value of the type that t names.
func (s *site) zero(t ast.Expr) string {
	typ := s.info.TypeOf(t)
	if _, ok := typ.(*types.TypeParam); ok {
		return "*new(" + s.text(t) + ")"
	}
	switch u := typ.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "nil"
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		}
	}
	return "*new(" + s.text(t) + ")"
}

// isZero reports whether an expression is plainly a zero value: a constant, T{}, or a
// variable to which nothing is ever assigned.
func (s *site) isZero(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return e.Value == "0" || e.Value == `""`
	case *ast.CompositeLit:
		_, isStruct := s.info.TypeOf(e).Underlying().(*types.Struct)
		return isStruct && len(e.Elts) == 0
	case *ast.Ident:
		switch o := s.info.Uses[e].(type) {
		case *types.Nil:
			return true
		case *types.Const:
			return e.Name == "false"
		case *types.Var:
			return s.declaredZero(o)
		}
	}
	return false
}

// declaredZero reports whether v is a variable of the function, or a named result of it, that
// keeps the zero value it begins with.
func (s *site) declaredZero(v *types.Var) bool {
	if s.written[v] || v.Parent() == s.packageScope() {
		return false
	}
	zero := false
	ast.Inspect(s.file.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			zero = zero || len(n.Values) == 0 && s.defines(n.Names, v)
		case *ast.FuncType:
			for _, field := range resultFields(n) {
				zero = zero || s.defines(field.Names, v)
			}
		}
		return !zero
	})
	return zero
}

func resultFields(f *ast.FuncType) []*ast.Field {
	if f.Results == nil {
		return nil
	}
	return f.Results.List
}

func (s *site) defines(names []*ast.Ident, v *types.Var) bool {
	return slices.ContainsFunc(names, func(name *ast.Ident) bool { return s.info.Defs[name] == v })
}

// packageScope is the scope of the package's own declarations.
func (s *site) packageScope() *types.Scope {
	for _, o := range s.info.Defs {
		if o != nil && o.Pkg() != nil {
			return o.Pkg().Scope()
		}
	}
	return nil
}
