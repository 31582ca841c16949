package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of formats in docs/result-schema.md anew")

// formatsTable is the table of formats as the docs show it.
func formatsTable() string {
	var b strings.Builder
	b.WriteString("| format | what |\n|---|---|\n")
	for _, f := range formats {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.name, f.short)
	}
	return b.String()
}

func TestTheDocsListTheFormats(t *testing.T) {
	const begin, end = "<!-- formats:begin -->\n", "<!-- formats:end -->\n"
	path := filepath.Join("..", "..", "..", "docs", "result-schema.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	require.True(t, ok && ok2, "the marks of the table of formats are gone")
	want := head + begin + formatsTable() + end + tail
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(text), "run the test with -update")
}

// TestEveryFormatHasAGoldenFile keeps a format from being listed and not tested: the tests of
// hostile texts and of secrets run over the formats that have a golden file.
func TestEveryFormatHasAGoldenFile(t *testing.T) {
	for _, f := range formats {
		pattern := filepath.Join("..", "export", "testdata", f.name+".*")
		if f.name == "html" {
			pattern = filepath.Join("..", "page", "testdata", "student.html")
		}
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		assert.Len(t, files, 1, f.name)
	}
}

func TestFormatsComplete(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"export gra", "gradescope\t" + formats[0].short + "\n"},
		{"export gra", "gradebook\t"},
		{"export html --for ", "student\nlearner\nteacher\n"},
		{"export gradescope --hidden ", "after_due_date\n"},
	} {
		var out strings.Builder
		root := newRoot(&app{Streams: Streams{Out: &out, Err: &out}})
		root.SetOut(&out)
		root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, strings.Split(c.line, " ")...))
		require.NoError(t, root.Execute())
		assert.Contains(t, out.String(), c.want, c.line)
	}
}
