package gate

import (
	"go/ast"
	"go/token"
	"slices"
)

// compareType compares the declaration of an exported type: its parameters, its form,
// and of a struct the exported fields.
func (c *comparison) compareType(f *file, want *ast.TypeSpec) {
	got := c.got.types[want.Name.Name]
	name := want.Name.Name
	if got == nil {
		c.gone(f, name, showType(want))
		return
	}
	file := c.got.files[got]
	wantParams, gotParams := typeParams(want.TypeParams), typeParams(got.TypeParams)
	if (want.Assign == token.NoPos) != (got.Assign == token.NoPos) ||
		c.wantSpell.constraints(f, want.TypeParams, wantParams) != c.gotSpell.constraints(file, got.TypeParams, gotParams) {
		c.changed(got.Name.Pos(), name, showType(want))
		return
	}
	wantStruct, ok := want.Type.(*ast.StructType)
	if !ok {
		if c.wantSpell.typ(f, want.Type, wantParams) != c.gotSpell.typ(file, got.Type, gotParams) {
			c.changed(got.Name.Pos(), name, showType(want))
		}
		return
	}
	gotStruct := c.structOf(got)
	if gotStruct == nil {
		c.changed(got.Name.Pos(), name, showType(want))
		return
	}
	c.compareFields(side{f, want, wantStruct, wantParams}, side{file, got, gotStruct, gotParams})
}

// structOf follows a type to its struct, through names of the subject: "type Pool inner".
func (c *comparison) structOf(spec *ast.TypeSpec) *ast.StructType {
	for range 8 {
		switch t := ast.Unparen(spec.Type).(type) {
		case *ast.StructType:
			return t
		case *ast.Ident:
			if spec = c.got.types[t.Name]; spec == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// side is a struct type on one side of a comparison.
type side struct {
	file      *file
	spec      *ast.TypeSpec
	structure *ast.StructType
	params    map[string]int
}

func (c *comparison) compareFields(want, got side) {
	found := fields(got.structure)
	for name, field := range fields(want.structure) {
		if !ast.IsExported(name) {
			continue
		}
		place := want.spec.Name.Name + "." + name
		expected := show(field.Type)
		if len(field.Names) > 0 {
			expected = name + " " + expected
		}
		if field.Tag != nil {
			expected += " " + field.Tag.Value
		}
		other := found[name]
		switch {
		case other == nil:
			c.changed(got.spec.Name.Pos(), "The field "+place, expected)
		case !c.sameField(want, got, field, other):
			c.changed(other.Pos(), "The field "+place, expected)
		}
	}
}

func (c *comparison) sameField(want, got side, a, b *ast.Field) bool {
	if (len(a.Names) == 0) != (len(b.Names) == 0) {
		return false
	}
	if a.Tag != nil && (b.Tag == nil || tagText(a) != tagText(b)) {
		return false
	}
	return c.wantSpell.typ(want.file, a.Type, want.params) == c.gotSpell.typ(got.file, b.Type, got.params)
}

// fields returns the fields of a struct by name; an embedded one has the name of its type.
func fields(s *ast.StructType) map[string]*ast.Field {
	byName := map[string]*ast.Field{}
	for _, field := range s.Fields.List {
		for _, name := range field.Names {
			byName[name.Name] = field
		}
		if len(field.Names) == 0 {
			byName[embeddedName(field.Type)] = field
		}
	}
	return byName
}

func embeddedName(typ ast.Expr) string {
	if star, ok := ast.Unparen(typ).(*ast.StarExpr); ok {
		typ = star.X
	}
	switch t := uninstantiated(typ).(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	}
	return ""
}

// showType prints a type's declaration; of a struct only the exported fields.
func showType(spec *ast.TypeSpec) string {
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return "type " + show(&ast.TypeSpec{Name: spec.Name, TypeParams: spec.TypeParams, Assign: spec.Assign, Type: spec.Type})
	}
	exported := &ast.FieldList{}
	for _, field := range structure.Fields.List {
		names := slices.DeleteFunc(slices.Clone(field.Names), func(id *ast.Ident) bool { return !id.IsExported() })
		if len(names) > 0 || len(field.Names) == 0 && ast.IsExported(embeddedName(field.Type)) {
			exported.List = append(exported.List, &ast.Field{Names: names, Type: field.Type, Tag: field.Tag})
		}
	}
	return "type " + show(&ast.TypeSpec{Name: spec.Name, TypeParams: spec.TypeParams, Type: &ast.StructType{Fields: exported}})
}
