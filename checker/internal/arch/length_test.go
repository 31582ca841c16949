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

// tooLong are the functions that are longer today. None is added, and one that has become
// shorter is taken off.
var tooLong = map[string]bool{
	"suites/controlplanetest/hidden_chain.go checkComponents":      true,
	"suites/controlplanetest/hidden_chain.go checkScaled":          true,
	"suites/controlplanetest/hidden_deployment.go checkHandlers":   true,
	"suites/controlplanetest/hidden_events.go checkSwept":          true,
	"suites/controlplanetest/hidden_nodes.go checkClocks":          true,
	"suites/controlplanetest/hidden_nodes.go checkEvicted":         true,
	"suites/controlplanetest/hidden_nodes.go checkHeartbeats":      true,
	"suites/controlplanetest/hidden_rollout.go checkDeleted":       true,
	"suites/informertest/hidden_concurrent.go lateHandlerInAStorm": true,
	"suites/informertest/hidden_concurrent.go stopInAStorm":        true,
	"suites/replicasettest/hidden.go checkOneDeletion":             true,
	"suites/schedulertest/hidden_run.go forgetsTheGone":            true,
	"suites/schedulertest/hidden_run.go runEnds":                   true,
	"suites/schedulertest/public.go whoMayRunWhere":                true,
	"suites/watchhttptest/hidden.go checkClientGone":               true,
	"suites/watchhttptest/hidden_broken.go checkBookmarks":         true,
	"suites/watchhttptest/hidden_broken.go checkErrors":            true,
	"suites/watchhttptest/hidden_ends.go checkContext":             true,
	"suites/watchhttptest/hidden_ends.go checkStop":                true,
	"suites/watchhttptest/hidden_together.go checkMany":            true,
	"suites/watchhttptest/public.go checkParameters":               true,
	"suites/watchhttptest/public.go checkRefusals":                 true,
}

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
	for name, lines := range long {
		assert.True(t, tooLong[name], "%s has %d lines, more than %d", name, lines, maxLines)
	}
	for name := range tooLong {
		assert.Contains(t, long, name, "%s is short enough now: take it off the list", name)
	}
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
