package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxLines is how long a function may be, from its first line to its last. A longer one
// does not fit a screen, and mostly is two functions.
const maxLines = 45

func TestFunctionsFitAScreen(t *testing.T) {
	long := map[string]int{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		return measure(path, long)
	})
	require.NoError(t, err)
	assert.Empty(t, long, "These functions have more than %d lines.", maxLines)
}

// measure adds the functions of a file that are too long, with their lengths.
func measure(path string, long map[string]int) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1
		if lines > maxLines {
			name := strings.TrimPrefix(filepath.ToSlash(path), "../")
			long[name+" "+fn.Name.Name] = lines
		}
	}
	return nil
}
