package gate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"math/big"
	"slices"
	"strings"
)

// A handful of lines can define a constant that takes the compiler gigabytes: strings
// each twice the one before, an array of 1<<40 elements. So integer constants are
// worked out here, and of string constants the length.

const (
	maxBits   = 512     // of an integer constant, as in the compiler
	maxString = 1 << 16 // bytes of a string constant that is put together from others
	someCount = 1 << 10 // stands for a length that is not worked out
	someConst = 1 << 8  // stands for a constant of another package
)

// result is what is known of a constant expression. The zero result is unknown.
type result struct {
	number *big.Int
	text   int64 // length of a string, if isText
	isText bool
	trust  trust
	huge   bool // larger than any constant may be
}

// trust is what may be done with the number of a result.
type trust int

const (
	exact trust = iota
	rough       // the constant of another package: not in a shift
	vague       // a length, or a fraction cut off: in sums, and to be divided
)

// constantDecl is one name of a const declaration.
type constantDecl struct {
	file  *file
	value ast.Expr // as written, or repeated from a line above
	typ   ast.Expr // nil if none
	iota  int64
	known *result // once worked out; unknown while that is under way
}

// indexConstants records every constant of the subject, those inside functions too.
func (g *inspection) indexConstants() {
	g.consts = map[*ast.Ident]*constantDecl{}
	for _, f := range g.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if gen, ok := n.(*ast.GenDecl); ok && gen.Tok == token.CONST {
				g.indexGroup(f, gen)
			}
			return true
		})
	}
}

// indexGroup repeats type and values of the line above where a line has none, as Go does.
func (g *inspection) indexGroup(f *file, gen *ast.GenDecl) {
	var values []ast.Expr
	var typ ast.Expr
	for i, spec := range gen.Specs {
		spec := spec.(*ast.ValueSpec)
		if len(spec.Values) > 0 {
			values, typ = spec.Values, spec.Type
		}
		for j, name := range spec.Names {
			if j < len(values) {
				g.consts[name] = &constantDecl{file: f, value: values[j], typ: typ, iota: int64(i)}
			}
		}
	}
}

// evaluate works out a constant expression where that is easy.
func (g *inspection) evaluate(f *file, e ast.Expr, iota int64) result {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return evaluateLiteral(e)
	case *ast.Ident:
		return g.evaluateName(e, iota)
	case *ast.SelectorExpr:
		if path, name, ok := g.foreign(f, e); ok {
			return foreignConstant(path, name)
		}
	case *ast.UnaryExpr:
		x := g.evaluate(f, e.X, iota)
		if e.Op == token.SUB && x.number != nil {
			x.number = new(big.Int).Neg(x.number)
			return x
		}
		if e.Op == token.ADD {
			return x
		}
		if e.Op == token.XOR {
			return g.complement(ast.Unparen(e.X), x)
		}
	case *ast.BinaryExpr:
		return evaluateBinary(e.Op, g.evaluate(f, e.X, iota), g.evaluate(f, e.Y, iota))
	case *ast.CallExpr:
		return g.evaluateCall(f, e, iota)
	}
	return result{}
}

// complement knows ^uint32(0) and the like: without a type, ^x is negative.
func (g *inspection) complement(e ast.Expr, x result) result {
	call, ok := e.(*ast.CallExpr)
	if !ok || x.number == nil || x.trust != exact {
		return result{}
	}
	bits, ok := unsignedBits[identName(call.Fun)]
	if !ok || !g.predeclared(call.Fun, identName(call.Fun)) {
		return result{}
	}
	ones := new(big.Int).Lsh(big.NewInt(1), bits)
	return result{number: ones.Sub(ones, big.NewInt(1)).AndNot(ones, x.number)}
}

var unsignedBits = map[string]uint{"byte": 8, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "uint": 64, "uintptr": 64}

func evaluateLiteral(lit *ast.BasicLit) result {
	switch lit.Kind {
	case token.STRING:
		return result{isText: true, text: int64(len(lit.Value))}
	case token.INT, token.CHAR, token.FLOAT:
		value := result{number: bigInt(constant.MakeFromLiteral(lit.Value, lit.Kind, 0))}
		if lit.Kind == token.FLOAT {
			value.trust = vague
		}
		return value
	}
	return result{}
}

// bigInt returns nil for what is not an integer.
func bigInt(v constant.Value) *big.Int {
	switch n := constant.Val(constant.ToInt(v)).(type) {
	case int64:
		return big.NewInt(n)
	case *big.Int:
		return n
	}
	return nil
}

func (g *inspection) evaluateName(id *ast.Ident, iota int64) result {
	object := g.object(id)
	if object == nil {
		if id.Name == "iota" {
			return result{number: big.NewInt(iota)}
		}
		return result{}
	}
	spec, ok := object.Decl.(*ast.ValueSpec)
	if !ok {
		return result{}
	}
	for _, name := range spec.Names {
		if decl := g.consts[name]; decl != nil && name.Name == id.Name {
			return g.evaluateDecl(decl)
		}
	}
	return result{}
}

func (g *inspection) evaluateDecl(decl *constantDecl) result {
	if decl.known == nil {
		decl.known = &result{} // a constant that is defined by itself is unknown
		value := g.evaluate(decl.file, decl.value, decl.iota)
		if decl.typ != nil && !g.isInteger(decl.typ) {
			value.trust = vague
		}
		if value.huge {
			value = result{} // said once, where it is declared
		}
		decl.known = &value
	}
	return *decl.known
}

// evaluateCall knows conversions, len of a string, and min and max.
func (g *inspection) evaluateCall(f *file, call *ast.CallExpr, iota int64) result {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || len(call.Args) == 0 {
		return result{}
	}
	x := g.evaluate(f, call.Args[0], iota)
	switch {
	case g.predeclared(id, "len"), g.predeclared(id, "cap"):
		if x.isText {
			return result{number: big.NewInt(x.text), huge: x.huge}
		}
		return result{number: big.NewInt(someCount), trust: vague}
	case g.predeclared(id, "min"), g.predeclared(id, "max"):
		for _, arg := range call.Args[1:] {
			x = larger(x, g.evaluate(f, arg, iota))
		}
		return x
	case g.isInteger(id):
		return x
	case g.isType(id), g.object(id) == nil && harmlessBuiltins[id.Name]:
		x.trust = vague
		return x
	}
	return result{}
}

// larger stands for min as well: too large an estimate is on the safe side.
func larger(x, y result) result {
	if x.number == nil || y.number == nil {
		return result{}
	}
	if x.number.Cmp(y.number) < 0 {
		return y
	}
	return x
}

// isInteger reports whether a type is predeclared as an integer or made of one.
func (g *inspection) isInteger(typ ast.Expr) bool {
	for range 8 { // a type that is defined by itself has no end
		spec := g.typeDecl(typ)
		if spec == nil {
			break
		}
		typ = spec.Type
	}
	name := identName(typ)
	plain := strings.TrimPrefix(strings.TrimRight(name, "0123456789"), "u")
	return g.predeclared(typ, name) && slices.Contains([]string{"int", "byte", "rune", "intptr"}, plain)
}

// identName is the name that e is, or "".
func identName(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func evaluateBinary(op token.Token, x, y result) result {
	if x.huge || y.huge {
		return result{huge: true}
	}
	if x.isText && y.isText && op == token.ADD {
		sum := result{isText: true, text: x.text + y.text}
		sum.huge = sum.text > maxString
		return sum
	}
	if x.number == nil || y.number == nil {
		return result{}
	}
	if !trusted(op, x.trust, y.trust) {
		return result{}
	}
	n := compute(op, x.number, y.number)
	if n != nil && n.BitLen() > maxBits {
		return result{huge: true}
	}
	return result{number: n, trust: max(x.trust, y.trust)}
}

// trusted reports whether an operation on two estimates is not far from the truth.
func trusted(op token.Token, x, y trust) bool {
	switch op {
	case token.ADD, token.SUB:
		return true
	case token.MUL:
		return max(x, y) <= rough
	case token.QUO, token.REM, token.SHR:
		return y == exact
	}
	return max(x, y) == exact
}

// compute returns nil where there is no result.
func compute(op token.Token, x, y *big.Int) *big.Int {
	z := new(big.Int)
	switch op {
	case token.ADD:
		return z.Add(x, y)
	case token.SUB:
		return z.Sub(x, y)
	case token.MUL:
		return z.Mul(x, y)
	case token.QUO, token.REM:
		if y.Sign() == 0 {
			return nil
		}
		if op == token.REM {
			return z.Rem(x, y)
		}
		return z.Quo(x, y)
	case token.SHL, token.SHR:
		return shift(op, x, y)
	case token.AND:
		return z.And(x, y)
	case token.OR:
		return z.Or(x, y)
	case token.XOR:
		return z.Xor(x, y)
	case token.AND_NOT:
		return z.AndNot(x, y)
	}
	return nil
}

func shift(op token.Token, x, y *big.Int) *big.Int {
	if y.Sign() < 0 {
		return nil
	}
	by := uint(2 * maxBits)
	if y.IsUint64() && y.Uint64() < uint64(by) {
		by = uint(y.Uint64())
	}
	if op == token.SHR {
		return new(big.Int).Rsh(x, by)
	}
	return new(big.Int).Lsh(x, by)
}

// foreignConstant knows the constants of other packages that are large; of the rest it
// knows that they are not.
func foreignConstant(path, name string) result {
	switch path {
	case "math":
		if bits, ok := mathBits[name]; ok {
			return result{number: new(big.Int).Lsh(big.NewInt(1), bits)}
		}
		return result{}
	case "time":
		if slices.Contains([]string{"Microsecond", "Millisecond", "Second", "Minute", "Hour"}, name) {
			return result{number: big.NewInt(1 << 40)} // a length, in nanoseconds, that nobody wants
		}
	}
	return result{number: big.NewInt(someConst), trust: rough}
}

// mathBits gives the limits of the integer types, rounded up to a power of two.
var mathBits = map[string]uint{
	"MaxInt8": 7, "MaxUint8": 8, "MaxInt16": 15, "MaxUint16": 16, "MaxInt32": 31, "MaxUint32": 32,
	"MaxInt": 63, "MaxInt64": 63, "MaxUint": 64, "MaxUint64": 64,
}
