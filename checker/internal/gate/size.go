package gate

import (
	"go/ast"
	"go/token"
	"math/big"
)

const (
	maxElements = 1 << 20 // elements of an array, arrays of arrays multiplied out, or fields of a struct
	maxIndex    = 1 << 16 // of an element in a composite literal: []byte{1<<30: 0} is a gigabyte
	maxTogether = 1 << 22 // elements of all composite literals, bytes of all string constants: all are written into the object file
	maxSpelled  = 1 << 12 // names in a type once its aliases are written out
)

// sizes judges what the subject asks of the compiler's memory, one file at a time.
type sizes struct {
	*inspection
	file     *file
	owner    map[*ast.TypeSpec]*file
	elements map[ast.Node]int64      // memo of types and arrays; 1 while under way, so a recursive type ends
	spelled  map[*ast.TypeSpec]int64 // memo, likewise
	inner    map[ast.Expr]bool       // operands of a binary expression that was judged as a whole
	together int64                   // elements and bytes so far
}

// checkSizes refuses constants, arrays and types that are small to write and large to compile.
func (g *inspection) checkSizes() {
	s := &sizes{
		inspection: g, owner: map[*ast.TypeSpec]*file{}, inner: map[ast.Expr]bool{},
		elements: map[ast.Node]int64{}, spelled: map[*ast.TypeSpec]int64{},
	}
	for _, f := range g.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				s.owner[spec] = f
			}
			return true
		})
	}
	for _, f := range g.files {
		s.file = f
		ast.Inspect(f.syntax, s.visit)
	}
}

func (s *sizes) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		s.visitBinary(n)
	case *ast.CallExpr:
		s.visitCall(n)
	case *ast.ArrayType:
		if n.Len != nil {
			s.visitArray(n)
		}
	case *ast.TypeSpec:
		if s.spell(n.Type) > maxSpelled {
			s.add(n.Pos(), Size, "Make parts of it types of their own.", "The type %s is very long, with its aliases written out.", clip(n.Name.Name))
		}
		if _, array := n.Type.(*ast.ArrayType); !array && s.count(s.file, n.Type) > maxElements {
			s.add(n.Pos(), Size, "Use slices.", "Values of the type %s would be very large.", clip(n.Name.Name))
		}
	case *ast.CompositeLit:
		if n.Type != nil { // else its turn comes with the literal around it, which knows the type
			s.visitLiteral(n, n.Type)
		}
	}
	return true
}

// visitBinary judges only the outermost of nested binary expressions: judging each
// would be quadratic in a long sum.
func (s *sizes) visitBinary(n *ast.BinaryExpr) {
	s.inner[ast.Unparen(n.X)], s.inner[ast.Unparen(n.Y)] = true, true
	if s.inner[n] {
		return
	}
	value := s.evaluate(s.file, n, 0)
	s.addTogether(n, value.text)
	if value.huge {
		s.add(n.Pos(), Size, "Use a smaller constant.", "This constant is too large.")
	}
}

// visitCall counts the bytes of []byte(constant), of which each has its own.
func (s *sizes) visitCall(n *ast.CallExpr) {
	if len(n.Args) != 1 {
		return
	}
	if _, ok := s.underlying(ast.Unparen(n.Fun)).(*ast.ArrayType); ok {
		s.addTogether(n, s.evaluate(s.file, n.Args[0], 0).text)
	}
}

func (s *sizes) visitArray(n *ast.ArrayType) {
	if _, counted := n.Len.(*ast.Ellipsis); counted {
		return
	}
	switch count := s.count(s.file, n); {
	case count == unclear:
		s.add(n.Len.Pos(), Size, "Write the length as a number or a simple constant, or use a slice.",
			"The length of this array cannot be worked out.")
	case count > maxElements:
		s.add(n.Len.Pos(), Size, "Use a slice.", "This array is too large.")
	}
}

// visitLiteral looks for indices that make a slice or an array large. The keys of a map
// may be any number, and those of a struct are names. Types that are left out within
// the literal are handed down.
func (s *sizes) visitLiteral(lit *ast.CompositeLit, typ ast.Expr) {
	var key, elem ast.Expr
	indexed := true
	switch t := s.underlying(typ).(type) {
	case *ast.MapType:
		key, elem, indexed = t.Key, t.Value, false
	case *ast.ArrayType:
		elem = t.Elt
	case *ast.StructType:
		indexed = false
	}
	length := s.count(s.file, typ)
	for _, e := range lit.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			s.visitElided(e, elem)
			continue
		}
		s.visitElided(pair.Key, key)
		s.visitElided(pair.Value, elem)
		// An exported name in a literal of another package's type is the field of a struct.
		if indexed && (elem != nil || !ast.IsExported(identName(pair.Key))) {
			length = max(length, s.visitIndex(pair))
		}
	}
	if len(lit.Elts) > 0 {
		s.addTogether(lit, max(length, 0))
	}
}

// visitElided judges an element that is a literal without a type of its own.
func (s *sizes) visitElided(e, typ ast.Expr) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok || lit.Type != nil || typ == nil {
		return
	}
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	s.visitLiteral(lit, typ)
}

// visitIndex returns the index of an element, if it is not too large.
func (s *sizes) visitIndex(pair *ast.KeyValueExpr) int64 {
	at := s.evaluate(s.file, pair.Key, 0)
	if at.huge || at.number != nil && at.number.Cmp(big.NewInt(maxIndex)) > 0 {
		s.add(pair.Pos(), Size, "Use a map.", "The index of this element makes the whole too large.")
		return 0
	}
	if at.number == nil {
		return 0
	}
	return at.number.Int64()
}

// addTogether counts what is written into the object file and says once that it is too much.
func (s *sizes) addTogether(n ast.Node, count int64) {
	before := s.together
	s.together += count
	if before <= maxTogether && s.together > maxTogether {
		s.add(n.Pos(), Size, "Make what is large when the program runs.", "From here on the constants and literals of the package are too large together.")
	}
}

// unclear is the count of an array whose length could not be worked out.
const unclear = -1

// count returns how many elements a value of the type holds in itself, saturating at
// more than maxElements.
func (s *sizes) count(f *file, typ ast.Expr) int64 {
	switch t := ast.Unparen(typ).(type) {
	case *ast.ArrayType:
		known, ok := s.elements[t]
		if !ok {
			known = s.countArray(f, t)
			s.elements[t] = known
		}
		return known
	case *ast.StructType:
		sum := int64(0)
		for _, field := range t.Fields.List {
			sum = saturate(sum + s.count(f, field.Type)*int64(max(1, len(field.Names))))
		}
		return max(sum, 1)
	case *ast.Ident:
		return s.countNamed(t)
	case *ast.IndexExpr:
		return saturate(s.count(f, t.X) * s.count(f, t.Index))
	case *ast.IndexListExpr:
		product := s.count(f, t.X)
		for _, arg := range t.Indices {
			product = saturate(product * s.count(f, arg))
		}
		return product
	}
	return 1
}

func (s *sizes) countArray(f *file, t *ast.ArrayType) int64 {
	if _, counted := t.Len.(*ast.Ellipsis); t.Len == nil || counted {
		return 1 // a slice, or as long as what is written
	}
	length := s.evaluate(f, t.Len, 0)
	if length.huge {
		return saturate(maxElements + 1)
	}
	if length.number == nil {
		return unclear
	}
	if !length.number.IsInt64() {
		return maxElements + 1
	}
	elem := s.count(f, t.Elt)
	return saturate(saturate(max(length.number.Int64(), 1)) * max(elem, 1))
}

func (s *sizes) countNamed(id *ast.Ident) int64 {
	spec := s.typeDecl(id)
	if spec == nil {
		return 1
	}
	if known, ok := s.elements[spec]; ok {
		return known
	}
	s.elements[spec] = 1
	s.elements[spec] = max(s.count(s.owner[spec], spec.Type), 1)
	return s.elements[spec]
}

func saturate(n int64) int64 { return min(n, maxElements+1) }

// spell returns how many names a type has once its aliases are written out: each alias
// may double the one before.
func (s *sizes) spell(typ ast.Expr) int64 {
	total := int64(0)
	ast.Inspect(typ, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return total <= maxSpelled
		}
		total++
		if spec := s.typeDecl(id); spec != nil && spec.Assign != token.NoPos {
			total += s.spellAlias(spec)
		}
		return true
	})
	return total
}

func (s *sizes) spellAlias(spec *ast.TypeSpec) int64 {
	known, ok := s.spelled[spec]
	if !ok {
		s.spelled[spec] = 1
		known = s.spell(spec.Type)
		s.spelled[spec] = known
	}
	return known
}
