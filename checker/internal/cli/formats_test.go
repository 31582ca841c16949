package cli

import (
	"cmp"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
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

// TestNoFormatTellsStudentsASecret writes every format as the command does without --for.
func TestNoFormatTellsStudentsASecret(t *testing.T) {
	for _, name := range []string{"CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"} {
		t.Setenv(name, "x")
	}
	const secret = "s3cret-input"
	for _, f := range formats {
		if f.to == audience.ForTeacher {
			continue
		}
		reader := audience.Reader{To: cmp.Or(f.to, audience.ForStudent), Book: resulttest.SmallBook()}
		g := resulttest.Secrets(secret, verdict.WrongAnswer)
		var out strings.Builder
		require.NoError(t, f.write(&out, results{(&resulttest.Class{Grades: []result.Grade{g}}).All(), reader, exportOptions{hidden: "visible"}}), f.name)
		text := out.String()
		if raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text)); err == nil {
			text = string(raw)
		}
		assert.Contains(t, text, "no-tasks", f.name)
		assert.NotContains(t, text, secret, f.name)
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
		root.SetErr(io.Discard)
		root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, strings.Split(c.line, " ")...))
		require.NoError(t, root.Execute())
		assert.Contains(t, out.String(), c.want, c.line)
	}
}
