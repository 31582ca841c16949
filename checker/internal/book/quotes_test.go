package book

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// quoted is a listing that begins with the path of the file that it is from.
var quoted = regexp.MustCompile(`^// ([\w./-]+\.go)\n\n`)

// TestQuotesStand: what a page shows of a file still stands there. The small lab of
// docs/authoring.md has no files: TestTheSmallLab has it.
func TestQuotesStand(t *testing.T) {
	count := 0
	for _, p := range pages(t) {
		if p.name == "docs/authoring.md" {
			continue
		}
		for _, l := range p.listings() {
			m := quoted.FindStringSubmatch(l.text)
			if l.lang != "go" || m == nil {
				continue
			}
			count++
			assert.NoError(t, stands(m[1], strings.TrimPrefix(l.text, m[0])), p.name)
		}
	}
	require.NotZero(t, count)
}

// stands returns an error if a file does not have these lines in a row.
func stands(name, lines string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	if !strings.Contains("\n"+string(text), "\n"+lines) {
		return fmt.Errorf("%s has no such lines in a row:\n%s", name, lines)
	}
	return nil
}

func TestStandsFindsMistakes(t *testing.T) {
	const name = "solutions/23-operator/reconciler.go"
	assert.NoError(t, stands(name, "\tcase err != nil:\n\t\treturn outcome{err: err}\n"))
	assert.Error(t, stands(name, "case err != nil:\n"), "the beginning of a line is missing")
	assert.Error(t, stands(name, "\tcase err == nil:\n"))
	assert.Error(t, stands("solutions/23-operator/reconcile.go", "\n"), "no such file")
}

// TestOperatorsLineForLine: each line in the table of docs/operator.md is one of the reference of lab 23,
// or of the same operator with controller-runtime.
func TestOperatorsLineForLine(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "operator.md"))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "<!-- lines:begin -->\n")
	table, _, found := strings.Cut(rest, "<!-- lines:end -->")
	require.True(t, found)
	rows := strings.Split(strings.TrimSpace(table), "\n")[2:]
	require.NotEmpty(t, rows)
	for _, row := range rows {
		cells := strings.Split(row, " | ")
		require.Len(t, cells, 4, row)
		for i, dir := range []string{"solutions/23-operator", "checker/upstream/operator"} {
			line := strings.Trim(strings.TrimPrefix(cells[i], "| "), "` ")
			assert.True(t, line == "—" || has(t, dir, line), "%s has no line\n%s", dir, line)
		}
	}
}

// has says whether one of the files of a directory has a line.
func has(t *testing.T, dir, line string) bool {
	names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(line) + `$`).Match(text) {
			return true
		}
	}
	return false
}
