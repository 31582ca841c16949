package render

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// recorded is a case and how it ended: most were recorded from runs of lab 01
// with code that a learner might write, a few were made by hand.
type recorded struct {
	Case   conform.Meta
	Result outcome.Result
}

func load(t *testing.T, name string) recorded {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var r recorded
	require.NoError(t, json.Unmarshal(text, &r))
	return r
}

// labOf is a lab of two cases: the recorded one and one that passed.
func labOf(r recorded) (catalog.Lab, []outcome.Result) {
	other := conform.Meta{Name: "a-case-that-passed", Points: 4, Func: "Gather"}
	lab := catalog.Lab{Number: 1, Package: "goroutines", Lab: conform.Lab{
		Dir:    "01-goroutines",
		Title:  "Goroutines",
		Builds: "run many functions at once: bounded, in order, and panic-proof",
		Files:  []string{"gather.go"},
		Cases:  []conform.Meta{other, r.Case},
	}}
	passed := outcome.Result{Lab: lab.Dir, Case: other.Name, Verdict: verdict.Pass, Points: 4, Max: 4}
	return lab, []outcome.Result{passed, r.Result}
}

// failing is the whole screen of a lab with a failing case.
func failing(s *Screen, r recorded) {
	lab, results := labOf(r)
	s.LabStart(lab)
	for i, c := range lab.Cases {
		s.CaseLine(c, results[i])
	}
	if r.Result.Verdict != verdict.Pass {
		s.CaseDetail(explain.Case(r.Case, r.Result))
	}
	s.LabEnd(lab, results, "make lab-2")
}

// golden compares a screen with its golden files, in Unicode and in ASCII.
func golden(t *testing.T, name string, show func(s *Screen)) {
	t.Helper()
	for _, ascii := range []bool{false, true} {
		file := filepath.Join("testdata", name+".txt")
		if ascii {
			file = filepath.Join("testdata", name+".ascii.txt")
		}
		var out bytes.Buffer
		show(New(&out, Options{ASCII: ascii}))
		wellFormed(t, out.String(), ascii)
		if *update {
			require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err, "run: go test ./checker/internal/render -update")
		assert.Equal(t, string(want), out.String(), file)
	}
}

// wellFormed holds for every screen, whatever stands on it.
func wellFormed(t *testing.T, screen string, ascii bool) {
	t.Helper()
	for i, line := range strings.Split(screen, "\n") {
		assert.LessOrEqual(t, width(line), usualWidth, "line %d is too wide: %s", i+1, line)
		assert.Equal(t, strings.TrimRight(line, " "), line, "line %d ends in blanks", i+1)
		for _, r := range line {
			assert.False(t, r < ' ' || r >= 0x7f && r < 0xa0, "line %d has the control character %U", i+1, r)
			assert.False(t, ascii && r >= 0x80, "line %d is not ASCII: %s", i+1, line)
		}
	}
}

func TestEachVerdictHasItsScreen(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		r := load(t, f)
		t.Run(name, func(t *testing.T) {
			golden(t, name, func(s *Screen) { failing(s, r) })
		})
	}
}
