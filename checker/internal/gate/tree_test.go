package gate

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTree holds every stub and every solution of the tree to the rules: the gate
// must not refuse what the book itself teaches.
func TestTree(t *testing.T) {
	stubs, err := filepath.Glob("../stubs/*")
	require.NoError(t, err)
	require.NotEmpty(t, stubs)
	for _, dir := range stubs {
		name := filepath.Base(dir)
		_, words, _ := strings.Cut(name, "-")
		stub := readDir(t, dir)
		rules := Rules{Package: strings.ReplaceAll(words, "-", ""), Imports: treeImports, Files: slices.Sorted(maps.Keys(stub))}
		t.Run("stub "+name, func(t *testing.T) { assert.Empty(t, Check(rules, stub)) })
		if solution := readDir(t, "../../../solutions/"+name); len(solution) > 0 {
			t.Run("solution "+name, func(t *testing.T) { assert.Empty(t, Check(rules, solution)) })
		}
	}
}

// treeImports is what the labs of the tree import, all together. Each suite says what its own lab may.
var treeImports = append(slices.Clone(lab.Imports), "net", "net/url", "math/rand", "container/ring", "path", "log/slog")

func readDir(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	files := map[string][]byte{}
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			files[filepath.Base(path)], err = os.ReadFile(path)
			require.NoError(t, err)
		}
	}
	return files
}

func BenchmarkCheck(b *testing.B) {
	all := sections(b, "testdata/honest.txtar")
	var body strings.Builder
	body.WriteString("package lab\n\nimport \"time\"\n")
	for i := range 20 {
		for _, s := range all {
			if s.name() == "heap" {
				_, rest, _ := strings.Cut(string(s.source), ")\n")
				body.WriteString(strings.ReplaceAll(rest, "waiting", fmt.Sprint("waiting", i)))
			}
		}
	}
	files := map[string][]byte{"lab.go": []byte(body.String())}
	b.SetBytes(int64(body.Len()))
	for b.Loop() {
		Check(lab, files)
	}
}
