package gate

import (
	"bytes"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzCheck: no source makes the gate panic. What it lets through is Go, and imports
// nothing but what the lab allows; what it refuses, it refuses at a place of the source.
func FuzzCheck(f *testing.F) {
	for _, file := range []string{"testdata/hostile.txtar", "testdata/honest.txtar"} {
		for _, s := range sections(f, file) {
			if len(s.source) < 4<<10 {
				f.Add(s.source, []byte("package lab\n"))
			}
		}
	}
	rules := lab
	rules.Files = []string{"lab.go", "b.go"}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		files := map[string][]byte{"lab.go": a, "b.go": b}
		found := Check(rules, files)
		for _, v := range found {
			lines := 1 + bytes.Count(files[v.File], []byte("\n")) + bytes.Count(files[v.File], []byte("\r"))
			assert.Contains(t, files, v.File)
			assert.True(t, 1 <= v.Line && v.Line <= lines, "line %d of %d", v.Line, lines)
			assert.Positive(t, v.Col)
			assert.NotEmpty(t, v.Kind)
			assert.NotEmpty(t, v.Message)
		}
		if len(found) > 0 {
			return
		}
		for name, source := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
			require.NoError(t, err, "the gate lets through what is not Go")
			for _, spec := range file.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				require.NoError(t, err)
				assert.True(t, path == Kit || slices.Contains(lab.Imports, path), "the gate lets %s through", path)
			}
		}
	})
}
