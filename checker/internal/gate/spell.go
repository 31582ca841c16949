package gate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// speller writes types in a form in which two that mean the same read the same:
// imported names by their path, type parameters by their number, parameters without
// their names, any, byte and rune as what they stand for, the subject's aliases
// written out. Unexported types of the package all read alike: their names are the
// learner's own.
type speller struct {
	of     *surface
	budget *int // parts left to write: aliases can be endless
}

// maxSpelling is the number of parts of one type that are compared.
const maxSpelling = 1 << 12

func spellerOf(s *surface) speller { return speller{s, new(int)} }

// typ writes one type.
func (s speller) typ(f *file, typ ast.Expr, params map[string]int) string {
	*s.budget = maxSpelling
	return s.text(f, typ, params)
}

// function writes the type of a function or a method.
func (s speller) function(f *file, fn *ast.FuncDecl) string {
	if base, names := receiver(fn); base != nil {
		params := map[string]int{}
		for i, name := range names {
			params[name.Name] = i
		}
		return s.typ(f, fn.Type, params)
	}
	params := typeParams(fn.Type.TypeParams)
	return s.constraints(f, fn.Type.TypeParams, params) + s.typ(f, fn.Type, params)
}

// typeParams numbers type parameters.
func typeParams(list *ast.FieldList) map[string]int {
	params := map[string]int{}
	if list != nil {
		for _, field := range list.List {
			for _, name := range field.Names {
				params[name.Name] = len(params)
			}
		}
	}
	return params
}

// constraints writes a list of type parameters.
func (s speller) constraints(f *file, list *ast.FieldList, params map[string]int) string {
	*s.budget = maxSpelling
	return "[" + s.list(f, list, params) + "]"
}

// list writes the types of a list of parameters, one for each name.
func (s speller) list(f *file, list *ast.FieldList, params map[string]int) string {
	if list == nil {
		return ""
	}
	var texts []string
	for _, field := range list.List {
		text := s.text(f, field.Type, params)
		for range max(1, len(field.Names)) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ",")
}

// text writes a part of a type.
func (s speller) text(f *file, typ ast.Expr, params map[string]int) string {
	if *s.budget--; *s.budget < 0 {
		return "…"
	}
	switch t := typ.(type) {
	case *ast.ParenExpr:
		return s.text(f, t.X, params)
	case *ast.Ident:
		return s.name(t.Name, params)
	case *ast.SelectorExpr:
		return s.qualified(f, t)
	case *ast.StarExpr:
		return "*" + s.text(f, t.X, params)
	case *ast.Ellipsis:
		return "..." + s.text(f, t.Elt, params)
	case *ast.UnaryExpr:
		return t.Op.String() + s.text(f, t.X, params)
	case *ast.BinaryExpr:
		return s.text(f, t.X, params) + t.Op.String() + s.text(f, t.Y, params)
	case *ast.IndexExpr:
		return s.text(f, t.X, params) + "[" + s.text(f, t.Index, params) + "]"
	case *ast.IndexListExpr:
		return s.instance(f, t, params)
	default:
		return s.composite(f, typ, params)
	}
}

func (s speller) composite(f *file, typ ast.Expr, params map[string]int) string {
	switch t := typ.(type) {
	case *ast.ArrayType:
		length := ""
		if t.Len != nil {
			length = types.ExprString(t.Len)
		}
		return "[" + length + "]" + s.text(f, t.Elt, params)
	case *ast.MapType:
		return "map[" + s.text(f, t.Key, params) + "]" + s.text(f, t.Value, params)
	case *ast.ChanType:
		return fmt.Sprintf("chan%d(%s)", t.Dir, s.text(f, t.Value, params))
	case *ast.FuncType:
		return "func(" + s.list(f, t.Params, params) + ")(" + s.list(f, t.Results, params) + ")"
	case *ast.StructType:
		return s.structure(f, t, params)
	case *ast.InterfaceType:
		return s.interfaceType(f, t, params)
	}
	return types.ExprString(typ)
}

// name writes an identifier that stands for a type.
func (s speller) name(name string, params map[string]int) string {
	if i, ok := params[name]; ok {
		return "$" + strconv.Itoa(i)
	}
	if spec := s.of.types[name]; spec != nil {
		switch {
		case spec.Assign != token.NoPos && spec.TypeParams == nil:
			return s.text(s.of.files[spec], spec.Type, nil)
		case !spec.Name.IsExported():
			return "·"
		}
		return name
	}
	switch name {
	case "any":
		return "interface{}"
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	}
	return name
}

func (s speller) qualified(f *file, sel *ast.SelectorExpr) string {
	if pkg, ok := sel.X.(*ast.Ident); ok {
		return strconv.Quote(f.imports[pkg.Name]) + "." + sel.Sel.Name
	}
	return types.ExprString(sel)
}

func (s speller) instance(f *file, t *ast.IndexListExpr, params map[string]int) string {
	var args []string
	for _, arg := range t.Indices {
		args = append(args, s.text(f, arg, params))
	}
	return s.text(f, t.X, params) + "[" + strings.Join(args, ",") + "]"
}

// structure writes the type of a struct without a name: there every field counts.
func (s speller) structure(f *file, t *ast.StructType, params map[string]int) string {
	var texts []string
	for _, field := range t.Fields.List {
		text := " " + s.text(f, field.Type, params) + " " + tagText(field)
		for _, name := range field.Names {
			texts = append(texts, name.Name+text)
		}
		if len(field.Names) == 0 {
			texts = append(texts, text)
		}
	}
	return "struct{" + strings.Join(texts, ";") + "}"
}

// interfaceType writes the elements of an interface in alphabetical order: theirs does not matter.
func (s speller) interfaceType(f *file, t *ast.InterfaceType, params map[string]int) string {
	var texts []string
	for _, field := range t.Methods.List {
		text := s.text(f, field.Type, params)
		for _, name := range field.Names {
			texts = append(texts, name.Name+text)
		}
		if len(field.Names) == 0 {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return "interface{" + strings.Join(texts, ";") + "}"
}

// tagText is the tag of a field as reflection sees it.
func tagText(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return field.Tag.Value
	}
	return text
}
