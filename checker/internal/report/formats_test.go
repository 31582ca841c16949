package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/report/page"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// small is a lab of four cases, so that golden files are short and stay as they are when
// a lab finds better words.
var small = catalog.Lab{Number: 1, Lab: conform.Lab{
	Dir: "01-example", Title: "Example", Files: []string{"gather.go"},
	Cases: []conform.Meta{
		{Name: "keeps-order", Points: 5, Func: "Gather", Rule: "Results stand in the order of the tasks.", Why: "Who asks ten nodes must know which answered what.", Hint: []string{"What is the index of a result?"}, Public: true},
		{Name: "waits-for-all", Points: 3, Func: "Gather", Rule: "Gather returns when all tasks have.", Why: "A leader must stop before the next begins.", Hint: []string{"Who calls Done?", "defer it."}},
		{Name: "no-race", Points: 8, Func: "Gather", Rule: "Nothing is raced for.", Why: "What works today fails tomorrow."},
		{Name: "no-tasks", Points: 4, Func: "Gather", Rule: "Without tasks Gather returns at once.", Why: "An empty list is the usual case."},
	},
}}

// inBook lets the catalog hold only the small lab for one test.
func inBook(t *testing.T) {
	real := book
	book = func() map[string]catalog.Lab { return map[string]catalog.Lab{small.Dir: small} }
	t.Cleanup(func() { book = real })
}

// ada is a submission with a failure of most kinds.
func ada() Grade {
	g := Grade{
		Schema: GradeSchema, Key: "k", Student: Student{"s100", "Ada Adeyemi", "A"}, Lab: small.Dir, Title: small.Title, Status: Graded,
		Max: small.Max(), Isolation: "ns", Seed: 7, Toolchain: madeWith, TookNS: int64(2 * time.Second),
	}
	for i, v := range []verdict.Verdict{verdict.WrongAnswer, verdict.Panic, verdict.DataRace, verdict.Pass} {
		c := small.Cases[i]
		r := outcome.Result{Lab: small.Dir, Case: c.Name, Max: c.Points, Verdict: v, Points: c.Points, Seed: 7, Took: 250 * time.Millisecond}
		if v != verdict.Pass {
			fail(&r, v, small, c)
		}
		g.Points += r.Points
		g.Cases = append(g.Cases, r)
	}
	return g
}

func with(change func(*Grade)) Grade {
	g := ada()
	change(&g)
	return g
}

func brokenGrade() Grade {
	return with(func(g *Grade) { g.Status, g.Problem, g.Points, g.Cases = Failed, "the disk is full", 0, nil })
}

func refusedGrade() Grade {
	return with(func(g *Grade) {
		g.Points, g.Cases = 0, nil
		g.refuse(small, verdict.CompileError)
		g.Compiler = "labs/01-example/gather.go:41:9: undefined: reslts\n"
	})
}

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

// seq is grades as a stream.
func seq(grades ...Grade) Grades { return (&Class{Grades: grades}).All() }

var context50 = Classroom{
	Name: "k8s", Assignment: "lab-1", AssignmentType: "individual", Owner: "ada", Submission: "submit/1",
	Commit: "https://example.org/c", Release: "https://example.org/r", Datetime: time.Date(2026, 3, 6, 22, 59, 0, 0, time.UTC),
}

// writers are all formats, each for one audience.
func writers(to Audience) map[string]func(io.Writer, ...Grade) error {
	return map[string]func(io.Writer, ...Grade) error{
		"gradescope.json": func(w io.Writer, g ...Grade) error {
			return WriteGradescope(w, g, Gradescope{Hidden: "after_published"})
		},
		"classroom50.json": func(w io.Writer, g ...Grade) error { return WriteClassroom50(w, g, context50) },
		"github.b64":       func(w io.Writer, g ...Grade) error { return WriteGitHubClassroom(w, g, to) },
		"exercism.json":    func(w io.Writer, g ...Grade) error { return WriteExercism(w, g, to) },
		"annotations.txt":  func(w io.Writer, g ...Grade) error { return WriteAnnotations(w, g, to) },
		"junit.xml":        func(w io.Writer, g ...Grade) error { return WriteJUnit(w, seq(g...), to) },
		"gradebook.csv":    func(w io.Writer, g ...Grade) error { return WriteGradebook(w, seq(g...)) },
		"student.html":     func(w io.Writer, g ...Grade) error { return WritePage(w, g, to) },
		"class.html": func(w io.Writer, g ...Grade) error {
			s := newStats()
			for r, err := range records(seq(g...)) {
				if err != nil {
					return err
				}
				s.add(&r)
			}
			return page.WriteClass(w, s.view())
		},
	}
}

func TestFormats(t *testing.T) {
	inBook(t)
	for name, write := range writers(ForStudent) {
		var out bytes.Buffer
		require.NoError(t, write(&out, ada()), name)
		text := out.String()
		if name == "github.b64" {
			text = pretty(t, text)
		}
		golden(t, name, text)
	}
}

// pretty is what is in the base64 of GitHub Classroom.
func pretty(t *testing.T, text string) string {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(text, "\n"))
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, json.Indent(&out, raw, "", "  "))
	return out.String() + "\n"
}

func TestRefusedLabs(t *testing.T) {
	inBook(t)
	var out bytes.Buffer
	require.NoError(t, WriteAnnotations(&out, []Grade{refusedGrade()}, ForStudent))
	assert.Equal(t, "::error file=labs/01-example/gather.go,line=41,title=01-example%3A compile error::undefined: reslts\n", out.String())

	out.Reset()
	require.NoError(t, WriteExercism(&out, []Grade{refusedGrade()}, ForStudent))
	assert.Contains(t, out.String(), `"status": "error"`)

	out.Reset()
	require.NoError(t, WritePage(&out, []Grade{refusedGrade()}, ForStudent))
	assert.Equal(t, 1, strings.Count(out.String(), "undefined: reslts"), "the lab says it once, not each case")
}

func TestWhatIsNotDecidedIsNeverAZero(t *testing.T) {
	inBook(t)
	oneCase := with(func(g *Grade) {
		g.Cases[0] = outcome.Result{Case: g.Cases[0].Case, Max: 5, Verdict: verdict.CheckerError, Message: "killed"}
	})
	for _, g := range []Grade{brokenGrade(), oneCase} {
		for name, write := range writers(ForStudent) {
			var out bytes.Buffer
			err := write(&out, g)
			switch name {
			case "gradescope.json", "classroom50.json":
				assert.ErrorIs(t, err, ErrUndecided)
				assert.Empty(t, out.String(), name)
			default:
				require.NoError(t, err, name)
			}
		}
	}
	var out bytes.Buffer
	require.NoError(t, WriteGradebook(&out, seq(brokenGrade(), with(func(g *Grade) {
		g.Lab, g.Status, g.Points, g.Cases = "02-other", Missing, 0, nil
	}))))
	assert.Equal(t, "student,name,group,01-example,02-other,total,max,undecided\ns100,Ada Adeyemi,A,not graded,,,40,20\n", out.String())

	out.Reset()
	require.NoError(t, WriteGitHubClassroom(&out, []Grade{oneCase}, ForStudent))
	assert.Contains(t, pretty(t, out.String()), `"status": "error"`)
}

func TestLateness(t *testing.T) {
	inBook(t)
	deadline := time.Date(2026, 3, 6, 22, 59, 0, 0, time.UTC)
	late := with(func(g *Grade) {
		g.Late = &Late{Submitted: deadline.Add(time.Hour), Deadline: deadline, Earned: 4, Percent: 50}
		g.Points = 2
	})
	out := map[string]string{}
	for name, write := range writers(ForStudent) {
		var b bytes.Buffer
		require.NoError(t, write(&b, late))
		out[name] = b.String()
	}
	assert.Contains(t, out["gradescope.json"], `"score": 2,`)
	assert.Contains(t, out["classroom50.json"], "\"score\": 4,\n  \"max-score\": 20", "tests have to add up; lateness is Classroom 50's own business")
	assert.Contains(t, out["gradebook.csv"], ",2,2,20,0\n")
	assert.Contains(t, out["student.html"], "Handed in 1h0m0s after the deadline of 2026-03-06 22:59 UTC: 50 % taken off 4 points.")
}

func TestDecode(t *testing.T) {
	g := ada()
	var file bytes.Buffer
	require.NoError(t, g.WriteJSON(&file))
	got, err := Decode(&file)
	require.NoError(t, err)
	assert.Equal(t, []Grade{g}, got)

	lab := catalog.Labs()[0]
	var results []outcome.Result
	for _, c := range lab.Cases {
		results = append(results, outcome.Result{Lab: lab.Dir, Case: c.Name, Verdict: verdict.Pass, Points: c.Points, Max: c.Points})
	}
	r := New("learner", 7)
	r.Add(lab, results, Refusal{})
	require.NoError(t, r.WriteJSON(&file))
	got, err = Decode(&file)
	require.NoError(t, err)
	assert.Equal(t, lab.Max(), got[0].Points)

	r = New("learner", 7)
	r.Add(lab, results[:1], Refusal{})
	require.NoError(t, r.WriteJSON(&file))
	_, err = Decode(&file)
	assert.ErrorContains(t, err, "run the whole lab")

	for text, want := range map[string]string{
		"":                                     "not a result of this checker",
		"{}":                                   `its schema is ""`,
		`{"schema":"controllerbook/grade/v2"}`: `its schema is "controllerbook/grade/v2"`,
	} {
		_, err := Decode(strings.NewReader(text))
		assert.ErrorContains(t, err, want)
	}
}
