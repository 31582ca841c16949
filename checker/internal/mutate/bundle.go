package mutate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// Variable is the environment variable that says which mutant of a bundle a process is: a
// number, as Bundle counts them.
const Variable = "CONTROLLERBOOK_MUTANT"

// Bundle makes one package of many mutants, because to build a test costs several times
// what it costs to run. Each function with mutants gets a copy of itself for each, and
// begins with a switch that calls one of them, or goes on as it is.
//
// The number of mutants[i] is i+1; with no number, or 0, the package is what it was. A mutant
// for which in is false is not in the bundle: a constant, for example, cannot be.
func Bundle(files map[string][]byte, mutants []Mutant) (bundled map[string][]byte, in []bool, err error) {
	b := &bundle{mutants: mutants, in: make([]bool, len(mutants))}
	bundled = map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if bundled[name], err = b.file(name, files[name], len(bundled) == 0); err != nil {
			return nil, nil, err
		}
	}
	return bundled, b.in, nil
}

// bundle is a package into which mutants are put.
type bundle struct {
	mutants []Mutant
	in      []bool

	copies strings.Builder // the mutated functions of the file at hand
}

// file is a file with its mutants in it. One of the files declares the number of the mutant
// that the process is.
func (b *bundle) file(name string, source []byte, declares bool) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var edits []edit
	b.copies.Reset()
	if declares {
		edits = append(edits, insert(fset.Position(f.Name.End()).Offset, `; import mutantOS "os"; import mutantStrconv "strconv"`))
		fmt.Fprintf(&b.copies, "\nvar mutantNumber, _ = mutantStrconv.Atoi(mutantOS.Getenv(%q))\n", Variable)
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !forwards(fn) {
			continue
		}
		if cases := b.function(fset, fn, name, source); cases != "" {
			edits = append(edits, insert(fset.Position(fn.Body.Lbrace).Offset+1, " switch mutantNumber {"+cases+" };"))
		}
	}
	return append(splice(source, edits), b.copies.String()...), nil
}

// function makes the copies of a function, and returns the cases that call them.
func (b *bundle) function(fset *token.FileSet, fn *ast.FuncDecl, file string, source []byte) (cases string) {
	from, to := fset.Position(fn.Type.Pos()).Offset, fset.Position(fn.End()).Offset
	name := fset.Position(fn.Name.Pos()).Offset - from
	for i, m := range b.mutants {
		if at := m.at(); m.File != file || at < from || at >= to {
			continue
		}
		b.in[i] = true
		own := fmt.Sprintf("%s_mutant%d", fn.Name.Name, i+1)
		edits := []edit{{name, name + len(fn.Name.Name), own}}
		for _, e := range m.edits {
			if e.new != blank { // the import is in use
				edits = append(edits, edit{e.start - from, e.end - from, e.new})
			}
		}
		fmt.Fprintf(&b.copies, "\n%s\n", splice(source[from:to], edits))
		cases += fmt.Sprintf(" case %d: %s;", i+1, forward(fn, own))
	}
	return cases
}

// at is where the change begins, imports aside.
func (m Mutant) at() int {
	for _, e := range m.edits {
		if e.new != blank {
			return e.start
		}
	}
	return -1
}

// forwards reports whether a function can call another in its place: its parameters must
// have names, and it must not call recover, which works only where it is called.
func forwards(fn *ast.FuncDecl) bool {
	if fn.Body == nil {
		return false
	}
	fields := slices.Clone(fn.Type.Params.List)
	if fn.Recv != nil {
		fields = append(fields, fn.Recv.List...)
	}
	for _, field := range fields {
		if len(field.Names) == 0 || slices.ContainsFunc(field.Names, func(n *ast.Ident) bool { return n.Name == "_" }) {
			return false
		}
	}
	recovers := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			fun, ok := call.Fun.(*ast.Ident)
			recovers = recovers || ok && fun.Name == "recover"
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	return !recovers
}

// forward is the statement that calls the function own with the parameters of fn.
func forward(fn *ast.FuncDecl, own string) string {
	call := own
	if base, _ := syntax.Receiver(fn); base != nil {
		call = fn.Recv.List[0].Names[0].Name + "." + own
	} else if fn.Type.TypeParams != nil {
		call += "[" + strings.Join(names(fn.Type.TypeParams), ", ") + "]"
	}
	call += "(" + strings.Join(names(fn.Type.Params), ", ") + ")"
	if fn.Type.Results == nil {
		return call + "; return"
	}
	return "return " + call
}

// names are the names of parameters, as arguments of a call.
func names(list *ast.FieldList) []string {
	var all []string
	for _, field := range list.List {
		for _, name := range field.Names {
			all = append(all, name.Name)
		}
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			all[len(all)-1] += "..."
		}
	}
	return all
}
