package arch

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/exportdata"
)

// compares has the assertions of testify that compare figures or lists, and how many
// arguments of each come before the message.
var compares = map[string]int{
	"Equal": 3, "ElementsMatch": 3, "Len": 3, "Zero": 2, "Empty": 2, "NotEmpty": 2, "Positive": 2,
	"Greater": 3, "GreaterOrEqual": 3, "Less": 3, "LessOrEqual": 3,
}

// TestAssertionsSayWhatTheySaw: "zero / 2" tells a learner nothing. What compares figures or
// lists comes with a sentence that has the figures in it. Strings, errors and bools speak for
// themselves, beside a sentence.
func TestAssertionsSayWhatTheySaw(t *testing.T) {
	dirs, err := filepath.Glob("../suites/*test")
	require.NoError(t, err)
	imports := suitesImporter(t)
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		texts := map[string]any{}
		for _, p := range paths {
			if !strings.HasSuffix(p, "_test.go") {
				texts[p] = nil
			}
		}
		for _, at := range bareIn(t, texts, imports) {
			t.Errorf("%s:%d does not say what it saw", filepath.ToSlash(at.Filename), at.Line)
		}
	}
}

func TestBareAssertionsAreFound(t *testing.T) {
	const text = `package suite

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func check(t *testing.T, n int, s string, list []string, err error, words string) {
	assert.Equal(t, 1, n, "%d instead of 1", n)
	assert.Equal(t, "a", s, "Another name.")
	assert.Equal(t, errors.ErrUnsupported, err, "Another error.")
	assert.NoError(t, err)
	assert.True(t, n > 1)
	require.Len(t, list, 2, words)
	// from here on they are bare
	assert.Equal(t, 1, n)
	assert.Equal(t, time.Second, time.Duration(n), "Another moment.")
	assert.Equal(t, 1, n, "Only half of them: 50%%.", n)
	require.Empty(t, list, "There is something left.")
	require.Empty(t, s)
	require.Greater(t, n, 1, "Not more than one.")
}
`
	lines := []int{}
	for _, at := range bareIn(t, map[string]any{"suite.go": text}, suitesImporter(t)) {
		lines = append(lines, at.Line)
	}
	assert.Equal(t, []int{20, 21, 22, 23, 24, 25}, lines)
}

// suitesImporter knows what suites import.
func suitesImporter(t *testing.T) types.Importer {
	imports, err := exportdata.Importer(t.Context(), "../../..", "./checker/internal/suites/...")
	require.NoError(t, err)
	return imports
}

// bareIn finds the assertions of a package that compare figures and show none. A text that is
// nil is read from its file.
func bareIn(t *testing.T, texts map[string]any, imports types.Importer) []token.Position {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file, err := parser.ParseFile(fset, name, texts[name], parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	_, err := (&types.Config{Importer: imports}).Check("suite", fset, files, info)
	require.NoError(t, err)
	var found []token.Position
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isBare(call, info) {
				found = append(found, fset.Position(call.Pos()))
			}
			return true
		})
	}
	return found
}

// figure is a verb of a format.
var figure = regexp.MustCompile(`(^|[^%])(%%)*%[^%]`)

// isBare reports whether a call is an assertion that compares figures and shows none.
func isBare(call *ast.CallExpr, info *types.Info) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || !strings.HasPrefix(fn.Pkg().Path(), "github.com/stretchr/testify/") {
		return false
	}
	before, ok := compares[fn.Name()]
	if !ok {
		return false
	}
	if len(call.Args) <= before {
		return true
	}
	format := info.Types[call.Args[before]].Value
	if format == nil || len(call.Args) > before+1 && figure.MatchString(constant.StringVal(format)) {
		return false
	}
	return !slices.ContainsFunc(call.Args[1:before], func(e ast.Expr) bool { return speaks(info.TypeOf(e)) })
}

// speaks reports whether values of a type are understood without a word beside them.
func speaks(t types.Type) bool {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsString|types.IsBoolean) != 0
}
