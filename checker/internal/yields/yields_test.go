package yields

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = `package lab // of a workbook

import "fmt"

var zero = func() int { return 0 }()

func f(n int) (err error) {
	defer func() { fmt.Println(n) }()
again:
	for range n {
		n--; n--
	}
	switch x := n; {
	case x > 3:
		fallthrough
	case x > 2:
	default:
		goto again
	}
	if n > 0 {
		n = 1
	} else if n < 0 {
		n = 2
	}
	{
		var c chan int
		select {
		case v := <-c:
			n += v
		default:
		}
	}
	return nil
}
`

func TestEveryStatementIsPreceded(t *testing.T) {
	out := string(Source([]byte(sample)))
	assert.Equal(t, strings.Count(sample, "\n"), strings.Count(out, "\n"), "lines stay what they were")
	for _, statement := range []string{
		"return 0", "defer func", "fmt.Println", "again:", "n--; ", "n--\n", "switch", "fallthrough", "goto again",
		"if n > 0", "n = 1", "n = 2", "{\n", "var c", "select", "n += v", "return nil",
	} {
		assert.Regexp(t, `controllerbook_nudge\.Step\(\);/\*line :\d+:\d+\*/`+strings.NewReplacer("{", `\{`, "+", `\+`).Replace(statement), out)
	}
	assert.Equal(t, 17, strings.Count(out, "Step()"), "and nothing else is")
}

// names are the identifiers of a file that its author wrote, with the places that a compiler
// has for them.
func names(t *testing.T, src []byte) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "lab.go", src, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return n.Name == nil || n.Name.Name != name
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == name {
				return false
			}
		case *ast.Ident:
			found = append(found, files.Position(n.Pos()).String()+" "+n.Name)
		}
		return true
	})
	return found
}

func TestPlacesStay(t *testing.T) {
	files, err := filepath.Glob("../../../solutions/*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, names(t, text), names(t, Source(text)), file)
	}
}

func TestWhatHasNoStatementsStays(t *testing.T) {
	for _, text := range []string{"", "package lab", "package lab\n\ntype T struct{}\n", "package lab\n\nfunc f() {}\n", "package lab\n\nfunc f() {"} {
		assert.Equal(t, text, string(Source([]byte(text))))
	}
}

// FuzzSource: what parses still does, and every name is where it was.
func FuzzSource(f *testing.F) {
	f.Add(sample)
	f.Add("package lab; func f() { ; ; }; func g() { if x := 1; x > 0 { return } }")
	f.Add("package lab\nfunc f() { L: ; goto L }\nfunc g() { g() }")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution); err != nil || strings.Contains(text, name) || strings.Contains(text, "line ") {
			t.Skip()
		}
		assert.Equal(t, names(t, []byte(text)), names(t, Source([]byte(text))))
	})
}
