package page

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/cohort"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run the test with -update to make it")
	assert.Equal(t, string(want), got, "run the test with -update if this is meant")
}

// record is one grade in the small lab, as its reader may see it.
func record(to audience.Audience, g result.Grade) audience.Record {
	r := audience.Reader{To: to, Book: resulttest.SmallBook()}
	return r.Record(result.Record{Student: g.Student, Grades: []result.Grade{g}})
}

// writers are both pages, the student's for one audience, by the names of their golden files.
func writers(to audience.Audience) map[string]func(io.Writer, result.Grade) error {
	return map[string]func(io.Writer, result.Grade) error{
		"student.html": func(w io.Writer, g result.Grade) error { return WriteStudent(w, record(to, g)) },
		"class.html": func(w io.Writer, g result.Grade) error {
			var s cohort.Stats
			s.Add(record(audience.ForTeacher, g))
			return WriteClass(w, &s)
		},
	}
}

func TestPages(t *testing.T) {
	for name, write := range writers(audience.ForStudent) {
		var out bytes.Buffer
		require.NoError(t, write(&out, resulttest.Ada()), name)
		golden(t, name, out.String())
	}
}

func TestEveryVerdictHasAColourInTheCharts(t *testing.T) {
	for _, v := range verdict.All {
		assert.True(t, slices.ContainsFunc(mix{v.Group(): 1}.Segments(), func(s segment) bool { return s.Count == 1 }), v)
		assert.Contains(t, style, "."+string(v.Group()), v)
	}
}

func TestARefusedLabSaysWhyOnce(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteStudent(&out, record(audience.ForStudent, resulttest.Refused())))
	assert.Equal(t, 1, strings.Count(out.String(), "undefined: reslts"), "the lab says it, not each case")
}

func TestWhatIsNotDecidedHasAPage(t *testing.T) {
	oneCase := resulttest.With(func(g *result.Grade) {
		g.Cases[0] = outcome.Result{Case: g.Cases[0].Case, Max: 5, Verdict: verdict.CheckerError, Message: "killed"}
	})
	for _, g := range []result.Grade{resulttest.Broken(), oneCase} {
		for name, write := range writers(audience.ForStudent) {
			var out bytes.Buffer
			require.NoError(t, write(&out, g), name)
			assert.Contains(t, out.String(), "not decided", name)
		}
	}
}

func TestLateness(t *testing.T) {
	deadline := time.Date(2026, 3, 6, 22, 59, 0, 0, time.UTC)
	late := resulttest.With(func(g *result.Grade) {
		g.Late = &result.Late{Submitted: deadline.Add(time.Hour), Deadline: deadline, Earned: 4, Percent: 50}
		g.Points = 2
	})
	var out bytes.Buffer
	require.NoError(t, WriteStudent(&out, record(audience.ForStudent, late)))
	assert.Contains(t, out.String(), "Handed in 1h0m0s after the deadline of 2026-03-06 22:59 UTC: 50 % taken off 4 points.")
}

func TestFileNames(t *testing.T) {
	names := map[string]string{}
	for id, want := range map[string]string{
		"s100": "s100", "ada@example.org": "ada@example.org", "../../etc/passwd": "=2e.=2f..=2fetc=2fpasswd",
		"index": "=69ndex", ".hidden": "=2ehidden", "Ada Lee": "Ada=20Lee", "a/b": "a=2fb", "a=2fb": "a=3d2fb", "ü": "=c3=bc",
	} {
		got := FileName(id)
		assert.Equal(t, want+".html", got)
		assert.NotContains(t, got, "/")
		assert.Empty(t, names[got])
		names[got] = id
	}
	long := strings.Repeat("x", 300)
	assert.Less(t, len(FileName(long)), 110)
	assert.NotEqual(t, FileName(long), FileName(long+"y"))
	assert.NotEqual(t, ".html", FileName(""))
}
