package trivial

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// function is one whose body is to be written. What is written are statements, so that a
// parameter that shadows a name is all that could go wrong.
type function struct {
	pkg  *source
	file string
	decl *ast.FuncDecl
}

// zeros returns zero values.
func (f function) zeros() string { return f.returns(f.zero) }

// made returns things that are not nil.
func (f function) made() string { return f.returns(f.make) }

// echo returns arguments.
func (f function) echo() string {
	var taken []string
	return f.returns(func(t ast.Expr) string {
		for _, p := range f.params() {
			if p.text == f.text(t) && !slices.Contains(taken, p.name) {
				taken = append(taken, p.name)
				return p.name
			}
		}
		return f.make(t)
	})
}

// closed returns channels that are closed.
func (f function) closed() string {
	var before strings.Builder
	n := 0
	last := f.returns(func(t ast.Expr) string {
		ch, ok := t.(*ast.ChanType)
		if !ok {
			return f.make(t)
		}
		n++
		fmt.Fprintf(&before, "\tch%d := make(chan %s)\n\tclose(ch%d)\n", n, f.text(ch.Value), n)
		return fmt.Sprintf("ch%d", n)
	})
	return before.String() + last
}

// called calls the functions among its parameters.
func (f function) called() string {
	var b strings.Builder
	for _, p := range f.params() {
		sig, each := f.signature(p.typ)
		if sig == nil {
			continue
		}
		call := fmt.Sprintf("\tif %[1]s != nil {\n\t\t%[1]s(%[2]s)\n\t}\n", p.name, f.arguments(sig))
		if each {
			call = fmt.Sprintf("\tfor _, each := range %s {\n\t\teach(%s)\n\t}\n", p.name, f.arguments(sig))
		}
		b.WriteString(call)
	}
	return b.String() + f.zeros()
}

// signature is that of a parameter that is a function of a literal type, or several.
func (f function) signature(t ast.Expr) (sig *ast.FuncType, each bool) {
	switch t := t.(type) {
	case *ast.FuncType:
		return t, false
	case *ast.Ellipsis:
		sig, _ = f.signature(t.Elt)
		return sig, true
	case *ast.ArrayType:
		sig, _ = f.signature(t.Elt)
		return sig, true
	}
	return nil, false
}

// arguments are what a function is called with: a parameter of the type, or else a zero value.
func (f function) arguments(sig *ast.FuncType) string {
	var args []string
	for t := range fields(sig.Params) {
		arg := f.zero(t)
		for _, p := range f.params() {
			if p.text == f.text(t) {
				arg = p.name
				break
			}
		}
		args = append(args, arg)
	}
	return strings.Join(args, ", ")
}

// param is a parameter that can be named.
type param struct {
	name, text string
	typ        ast.Expr
}

// params are the receiver and the parameters.
func (f function) params() []param {
	var params []param
	for _, list := range []*ast.FieldList{f.decl.Type.Params, f.decl.Recv} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			text := f.text(field.Type)
			if e, ok := field.Type.(*ast.Ellipsis); ok {
				text = "[]" + f.text(e.Elt)
			}
			for _, n := range field.Names {
				if n.Name != "_" {
					params = append(params, param{n.Name, text, field.Type})
				}
			}
		}
	}
	return params
}

// returns is a return statement with a value for each result.
func (f function) returns(value func(ast.Expr) string) string {
	var values []string
	for t := range fields(f.decl.Type.Results) {
		values = append(values, value(t))
	}
	return "\treturn " + strings.Join(values, ", ")
}

// fields are the types of parameters or results, each as often as it counts.
func fields(list *ast.FieldList) func(yield func(ast.Expr) bool) {
	return func(yield func(ast.Expr) bool) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			for range max(len(field.Names), 1) {
				if !yield(field.Type) {
					return
				}
			}
		}
	}
}

// zero is a type's zero value, whatever the type.
func (f function) zero(t ast.Expr) string { return "*new(" + f.text(t) + ")" }

// text is the source of a type.
func (f function) text(t ast.Expr) string {
	return string(f.pkg.files[f.file][f.pkg.fset.Position(t.Pos()).Offset:f.pkg.fset.Position(t.End()).Offset])
}

// make is a value of a type that is not nil, where one can be made.
func (f function) make(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return "new(" + f.text(t.X) + ")"
	case *ast.ChanType:
		return "make(" + f.text(t) + ")"
	case *ast.MapType:
		return f.text(t) + "{}"
	case *ast.ArrayType:
		return f.text(t) + "{}"
	case *ast.FuncType:
		return f.function(t)
	}
	return f.named(t)
}

// function is a function that returns zero values. Its parameters lose their names, which
// may be left out of all of them or of none.
func (f function) function(t *ast.FuncType) string {
	var params, results, values []string
	for p := range fields(t.Params) {
		params = append(params, f.text(p))
	}
	for r := range fields(t.Results) {
		results = append(results, f.text(r))
		values = append(values, f.zero(r))
	}
	return fmt.Sprintf("func(%s) (%s) { return %s }", strings.Join(params, ", "), strings.Join(results, ", "), strings.Join(values, ", "))
}

// outside are values of types that neither the lab nor the kit declares. A sequence has its
// type arguments to come.
var outside = map[string]string{
	"http.Handler":    "http.NotFoundHandler()",
	"context.Context": "context.Background()",
}

// named makes a value of a type that has a name: of an interface, the type of the lab or of
// the kit that has its methods.
func (f function) named(t ast.Expr) string {
	name, args := f.instance(t)
	if made, ok := outside[name]; ok {
		return made
	}
	switch {
	case name == "iter.Seq":
		return "func(func(" + args + ") bool) {}"
	case f.pkg.types[name] == nil || f.pkg.types[name].spec == nil:
		return f.zero(t)
	}
	known := f.pkg.types[name]
	switch literal := known.spec.Type.(type) {
	case *ast.InterfaceType:
		if maker := f.pkg.implementation(known); maker != "" {
			if args != "" {
				args = "[" + args + "]"
			}
			return "new(" + maker + args + ")"
		}
	case *ast.FuncType:
		if known.spec.TypeParams == nil && f.declares(known) {
			return f.function(literal)
		}
	}
	return f.zero(t)
}

// declares reports whether a type stands in this file: then its text can be read there.
func (f function) declares(t *typ) bool { return f.pkg.fset.Position(t.spec.Pos()).Filename == f.file }

// instance is the name of a type, with the package's where there is one, and the text of
// its arguments.
func (f function) instance(t ast.Expr) (name, args string) {
	switch t := t.(type) {
	case *ast.IndexExpr:
		return f.text(t.X), f.text(t.Index)
	case *ast.IndexListExpr:
		var all []string
		for _, i := range t.Indices {
			all = append(all, f.text(i))
		}
		return f.text(t.X), strings.Join(all, ", ")
	}
	return f.text(t), ""
}

// implementation is the name of the first type that has all methods of an interface and as
// many type parameters, the lab's own before the kit's, "" where there is none.
func (s *source) implementation(of *typ) string {
	want := s.methods(of)
	if len(want) == 0 {
		return ""
	}
	var found []string
	for name, t := range s.types {
		if t.spec == nil || t.spec.TypeParams.NumFields() != of.spec.TypeParams.NumFields() {
			continue
		}
		if t.prefix == "kit." && !exported(name) {
			continue
		}
		if !slices.ContainsFunc(want, func(m string) bool { return !t.methods[m] }) {
			found = append(found, name)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		if byPlace := strings.Count(a, ".") - strings.Count(b, "."); byPlace != 0 {
			return byPlace
		}
		return strings.Compare(a, b)
	})
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

// methods are the names of an interface's methods, with those of what it embeds.
func (s *source) methods(of *typ) []string {
	literal, ok := of.spec.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	var names []string
	for _, field := range literal.Methods.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
		if len(field.Names) == 0 {
			embedded := of.prefix + baseName(field.Type)
			if t := s.types[embedded]; t != nil && t.spec != nil {
				names = append(names, s.methods(t)...)
			}
		}
	}
	return names
}

// baseName is the name of a type that stands in its own package, without its arguments.
func baseName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.IndexExpr:
		return baseName(t.X)
	case *ast.IndexListExpr:
		return baseName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
