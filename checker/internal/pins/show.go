package pins

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// addGroup adds what a const, var or type declaration declares.
func addGroup(add func(declaration, token.Pos), gen *ast.GenDecl) {
	var typ ast.Expr
	var values []ast.Expr
	for _, spec := range gen.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			addType(add, spec)
		case *ast.ValueSpec:
			if gen.Tok == token.VAR || len(spec.Values) > 0 { // else those of the line above are repeated
				typ, values = spec.Type, spec.Values
			}
			for i, name := range spec.Names {
				var value ast.Expr
				if i < len(values) {
					value = values[i]
				}
				add(declaration{name: name.Name, text: showValue(gen.Tok, name.Name, typ, value)}, name.Pos())
			}
		}
	}
}

func addType(add func(declaration, token.Pos), spec *ast.TypeSpec) {
	add(declaration{name: spec.Name.Name, text: showType(spec)}, spec.Name.Pos())
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range structure.Fields.List {
		for _, name := range field.Names {
			add(declaration{name: spec.Name.Name + "." + name.Name, field: true, text: name.Name + " " + show(field.Type)}, name.Pos())
		}
		if len(field.Names) == 0 {
			add(declaration{name: spec.Name.Name + "." + embeddedName(field.Type), field: true, text: show(field.Type)}, field.Pos())
		}
	}
}

func funcName(fn *ast.FuncDecl) string {
	if base, _ := syntax.Receiver(fn); base != nil {
		return base.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// embeddedName is the name of an embedded field.
func embeddedName(typ ast.Expr) string {
	if star, ok := ast.Unparen(typ).(*ast.StarExpr); ok {
		typ = star.X
	}
	switch t := ast.Unparen(typ).(type) {
	case *ast.IndexExpr:
		return embeddedName(t.X)
	case *ast.IndexListExpr:
		return embeddedName(t.X)
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	}
	return ""
}

// header is a function without its body and its comment.
func header(fn *ast.FuncDecl) *ast.FuncDecl {
	return &ast.FuncDecl{Recv: fn.Recv, Name: fn.Name, Type: fn.Type}
}

// showValue prints a constant or a variable, with its value only if that is a literal.
func showValue(tok token.Token, name string, typ, value ast.Expr) string {
	text := tok.String() + " " + name
	if typ != nil {
		text += " " + show(typ)
	}
	if _, literal := value.(*ast.BasicLit); literal && tok == token.CONST {
		text += " = " + show(value)
	}
	return text
}

// showType prints a type's declaration; of a struct only the exported fields.
func showType(spec *ast.TypeSpec) string {
	shown := &ast.TypeSpec{Name: spec.Name, TypeParams: spec.TypeParams, Assign: spec.Assign, Type: spec.Type}
	if structure, ok := spec.Type.(*ast.StructType); ok {
		exported := &ast.FieldList{}
		for _, field := range structure.Fields.List {
			names := slices.DeleteFunc(slices.Clone(field.Names), func(id *ast.Ident) bool { return !id.IsExported() })
			if len(names) > 0 || len(field.Names) == 0 && ast.IsExported(embeddedName(field.Type)) {
				exported.List = append(exported.List, &ast.Field{Names: names, Type: field.Type, Tag: field.Tag})
			}
		}
		shown.Type = &ast.StructType{Fields: exported}
	}
	return "type " + show(shown)
}

// show prints a declaration in Go, on one line.
func show(n ast.Node) string {
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		return fmt.Sprintf("(%v)", err)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return oneLine.Replace(strings.Join(lines, "; "))
}

// oneLine repairs what joining lines by semicolons does at brackets.
var oneLine = strings.NewReplacer("{; ", "{ ", "; }", " }", "(; ", "(", ",; ", ", ")
