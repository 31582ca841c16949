package render

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// TestEachVerdictIsComplete goes through the table of verdicts and finds what a learner or
// a teacher meets of each: a screen, a text that teaches, a place in the documents.
func TestEachVerdictIsComplete(t *testing.T) {
	shown := recordedVerdicts(t)
	for _, v := range verdict.All {
		if v.Refused() { // the screen is a whole lab's: see TestALabThatDoesNotCompile and those after it
			assert.FileExists(t, filepath.Join("testdata", string(v)+".txt"))
		} else {
			assert.True(t, shown[v], "no recorded case in testdata shows the verdict %s", v)
		}
		e := explain.Case(conform.Meta{Name: "a-case", Func: "Gather"}, outcome.Result{Lab: "01-goroutines", Verdict: v, Message: "something happened"})
		assert.NotContains(t, e.What, "no words", "package explain does not know the verdict %s", v)
		assert.Equal(t, v == verdict.Pass, e.Next.Do == "", "%s ends with a step", v)
		taught := e.Lesson != "" || slices.Contains([]verdict.Verdict{
			verdict.Pass, verdict.WrongAnswer, verdict.NotImplemented, // the case's own rule is the lesson
			verdict.CompileError, verdict.Forbidden, // the lab says it once, with what was refused
			verdict.CheckerError,
		}, v)
		assert.True(t, taught, "%s teaches nothing", v)
	}
}

func recordedVerdicts(t *testing.T) map[verdict.Verdict]bool {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	seen := map[verdict.Verdict]bool{}
	for _, f := range files {
		seen[load(t, f).Result.Verdict] = true
	}
	return seen
}

// documents list the verdicts: each has them where its pattern has its group.
var documents = map[string]*regexp.Regexp{
	"docs/schema/result-v1.json": regexp.MustCompile(`"verdict": \{\s*"enum": \[\s*([^\]]*?)\s*\]`),
	"docs/schema/grade-v1.json":  regexp.MustCompile(`"verdict": \{\s*"enum": \[\s*([^\]]*?)\s*\]`),
	"docs/result-schema.md":      regexp.MustCompile("\n\\| `verdict` \\| string \\| ([^|\n]*?) \\|"),
}

// TestTheDocumentsListTheVerdicts holds the documents to the table; -update writes them.
func TestTheDocumentsListTheVerdicts(t *testing.T) {
	for name, list := range documents {
		file := filepath.Join("..", "..", "..", filepath.FromSlash(name))
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		at := list.FindSubmatchIndex(text)
		require.NotNil(t, at, "%s has no list of verdicts", name)
		want := listed(name)
		if *update {
			text = slices.Concat(text[:at[2]], []byte(want), text[at[3]:])
			require.NoError(t, os.WriteFile(file, text, 0o644))
			continue
		}
		assert.Equal(t, want, string(text[at[2]:at[3]]), "%s: run go test ./checker/internal/render -update", name)
	}
}

// listed are the verdicts as a document writes them.
func listed(document string) string {
	quote, between := "`", ", "
	if strings.HasSuffix(document, ".json") {
		quote, between = `"`, ",\n            "
	}
	var names []string
	for _, v := range verdict.All {
		names = append(names, quote+string(v)+quote)
	}
	return strings.Join(names, between)
}

// TestTheSchemasAreJSON would notice an update that broke one.
func TestTheSchemasAreJSON(t *testing.T) {
	for name := range documents {
		if text, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(name))); strings.HasSuffix(name, ".json") {
			require.NoError(t, err)
			assert.True(t, json.Valid(text), name)
		}
	}
}
