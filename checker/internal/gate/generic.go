package gate

import (
	"go/ast"
	"go/types"
)

// Generic code is compiled once for every list of type arguments. Thirty generic
// functions, each of which calls the next with two different types, are a thousand
// million functions to the compiler; thirty, each of which doubles the type, are one
// function whose type fills the memory. Both are estimated from the syntax: to count
// exactly is what the compiler would do. Source that lets types be inferred in
// roundabout ways can still pass, so the build has limits of its own.

const (
	maxInstances = 1 << 10 // of generic declarations that one instance asks for
	maxGrowth    = 1 << 16 // of a type on its way down
)

// generic is a generic function, or a generic type with its methods.
type generic struct {
	name   *ast.Ident
	arity  int
	uses   []instance
	widest int64 // most type parameters that stand within one type of its code

	counted bool
	total   int64 // instances, itself included; 1 while under way, so that recursion ends
	growth  int64
}

// instance is the use of a generic declaration within another.
type instance struct {
	of     *generic
	args   string // as written: equal arguments make one instance
	growth int64  // how often the user's type parameters stand in one argument; 0 if inferred
}

// checkInstances refuses generic declarations that multiply.
func (g *inspection) checkInstances() {
	byName, inOrder := g.generics()
	for _, f := range g.files {
		for _, decl := range f.syntax.Decls {
			g.collectUses(byName, decl)
		}
	}
	for _, user := range inOrder {
		user.count()
		if user.total > maxInstances || user.growth > maxGrowth {
			g.add(user.name.Pos(), Size, "Use fewer type parameters, or fewer generic functions that call each other.",
				"%s asks the compiler for a very large number of instances or a very large type.", clip(user.name.Name))
			return // whatever uses it multiplies too
		}
	}
}

// generics finds the generic declarations; all of them stand at package level.
func (g *inspection) generics() (byName map[string]*generic, inOrder []*generic) {
	byName = map[string]*generic{}
	note := func(name *ast.Ident, params *ast.FieldList) {
		if params != nil {
			byName[name.Name] = &generic{name: name, arity: params.NumFields(), total: 1, growth: 1}
			inOrder = append(inOrder, byName[name.Name])
		}
	}
	for _, f := range g.files {
		for _, decl := range f.syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					note(decl.Name, decl.Type.TypeParams)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						note(spec.Name, spec.TypeParams)
					}
				}
			}
		}
	}
	return byName, inOrder
}

// collectUses records which generics the code of a declaration uses.
func (g *inspection) collectUses(byName map[string]*generic, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		c := collector{g, byName, byName[decl.Name.Name], paramNames(decl.Type.TypeParams)}
		if base, names := receiver(decl); base != nil {
			c.user, c.params = byName[base.Name], map[string]bool{}
			for _, name := range names {
				c.params[name.Name] = true
			}
		}
		c.walk(decl.Type.Params)
		c.walk(decl.Type.Results)
		c.walk(decl.Body)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				c := collector{g, byName, byName[spec.Name.Name], paramNames(spec.TypeParams)}
				c.walk(spec.Type)
			}
		}
	}
}

func paramNames(list *ast.FieldList) map[string]bool {
	names := map[string]bool{}
	if list != nil {
		for _, field := range list.List {
			for _, name := range field.Names {
				names[name.Name] = true
			}
		}
	}
	return names
}

// receiver returns the type that a method belongs to, and the names that the receiver
// gives to its type parameters.
func receiver(fn *ast.FuncDecl) (base *ast.Ident, params []*ast.Ident) {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return nil, nil
	}
	typ := ast.Unparen(fn.Recv.List[0].Type)
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = ast.Unparen(star.X)
	}
	var args []ast.Expr
	switch t := typ.(type) {
	case *ast.IndexExpr:
		args = []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		args = t.Indices
	}
	for _, arg := range args {
		if id, ok := arg.(*ast.Ident); ok {
			params = append(params, id)
		}
	}
	base, _ = uninstantiated(typ).(*ast.Ident)
	return base, params
}

// collector records what one declaration uses.
type collector struct {
	*inspection
	byName map[string]*generic
	user   *generic // nil if the declaration is not generic: then nothing multiplies in it
	params map[string]bool
}

func (c *collector) walk(n ast.Node) {
	if c.user == nil || n == (*ast.FieldList)(nil) || n == (*ast.BlockStmt)(nil) {
		return
	}
	ast.PreorderStack(n, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.StarExpr:
			c.user.widest = max(c.user.widest, c.occurrences(n))
		case *ast.Ident:
			if used := c.byName[n.Name]; used != nil && used != c.user && c.object(n) == c.decls[n.Name] {
				c.note(used, n, stack)
			}
		}
		return true
	})
}

// note records one use, with its type arguments as far as they are written.
func (c *collector) note(used *generic, id *ast.Ident, stack []ast.Node) {
	use := instance{of: used}
	var child ast.Expr = id
	explicit := explicitArgs(stack, id)
	whole := int64(0)
	for _, arg := range explicit {
		use.args += types.ExprString(arg) + ","
		use.growth = max(use.growth, c.occurrences(arg), 1)
		whole += c.occurrences(arg)
	}
	c.user.widest = max(c.user.widest, whole)
	if len(explicit) > 0 {
		child, stack = stack[len(stack)-1].(ast.Expr), stack[:len(stack)-1]
	}
	if len(explicit) < used.arity {
		use.growth = 0
		if call := parentCall(stack, child); call != nil {
			for _, arg := range call.Args {
				use.args += types.ExprString(arg) + ","
			}
		}
	}
	c.user.uses = append(c.user.uses, use)
}

// explicitArgs returns the type arguments if the parent of id instantiates it.
func explicitArgs(stack []ast.Node, id *ast.Ident) []ast.Expr {
	if len(stack) == 0 {
		return nil
	}
	switch parent := stack[len(stack)-1].(type) {
	case *ast.IndexExpr:
		if parent.X == id {
			return []ast.Expr{parent.Index}
		}
	case *ast.IndexListExpr:
		if parent.X == id {
			return parent.Indices
		}
	}
	return nil
}

func parentCall(stack []ast.Node, child ast.Expr) *ast.CallExpr {
	if len(stack) == 0 {
		return nil
	}
	if call, ok := stack[len(stack)-1].(*ast.CallExpr); ok && call.Fun == child {
		return call
	}
	return nil
}

// occurrences counts the type parameters below n.
func (c *collector) occurrences(n ast.Node) int64 {
	count := int64(0)
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && c.params[id.Name] {
			count++
		}
		return true
	})
	return count
}

// count adds up what one instance of u asks for, each list of arguments once.
func (u *generic) count() {
	if u.counted {
		return
	}
	u.counted = true
	seen := map[instance]bool{}
	total, growth := int64(1), int64(1)
	for _, use := range u.uses {
		use.of.count()
		factor := use.growth
		if factor == 0 {
			factor = max(u.widest, 1)
		}
		growth = max(growth, min(factor*use.of.growth, maxGrowth+1))
		if key := (instance{of: use.of, args: use.args}); !seen[key] {
			seen[key] = true
			total = min(total+use.of.total, maxInstances+1)
		}
	}
	u.total, u.growth = total, growth
}
