package export

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
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

var context50 = Classroom{
	Name: "k8s", Assignment: "lab-1", AssignmentType: "individual", Owner: "ada", Submission: "submit/1",
	Commit: "https://example.org/c", Release: "https://example.org/r", Datetime: time.Date(2026, 3, 6, 22, 59, 0, 0, time.UTC),
}

// reader shows results of the small lab.
func reader(to audience.Audience) audience.Reader {
	return audience.Reader{To: to, Book: resulttest.SmallBook()}
}

// record is grades of one student.
func record(to audience.Audience, grades ...result.Grade) audience.Record {
	return reader(to).Record(result.Record{Student: grades[0].Student, Grades: grades})
}

// records is the records of a class.
func records(r audience.Reader, class *resulttest.Class) iter.Seq2[audience.Record, error] {
	return func(yield func(audience.Record, error) bool) {
		for all, err := range result.ByStudent(class.All()) {
			if !yield(r.Record(all), err) {
				return
			}
		}
	}
}

// writers are all formats for one audience, by the names of their golden files.
func writers(to audience.Audience) map[string]func(io.Writer, ...result.Grade) error {
	of := func(write func(io.Writer, audience.Record) error) func(io.Writer, ...result.Grade) error {
		return func(w io.Writer, g ...result.Grade) error { return write(w, record(to, g...)) }
	}
	return map[string]func(io.Writer, ...result.Grade) error{
		"gradescope.json": func(w io.Writer, g ...result.Grade) error {
			return Gradescope(w, record(audience.ForStudent, g...), "after_published")
		},
		"classroom50.json": func(w io.Writer, g ...result.Grade) error {
			return Classroom50(w, record(audience.ForStudent, g...), context50)
		},
		"github-classroom.b64": of(GitHubClassroom),
		"exercism.json":        of(Exercism),
		"annotations.txt":      of(Annotations),
		"junit.xml": func(w io.Writer, g ...result.Grade) error {
			return WriteJUnit(w, reader(to).Grades((&resulttest.Class{Grades: g}).All()))
		},
		"gradebook.csv": func(w io.Writer, g ...result.Grade) error {
			return WriteGradebook(w, records(reader(to), &resulttest.Class{Grades: g}))
		},
	}
}

func TestFormats(t *testing.T) {
	for name, write := range writers(audience.ForStudent) {
		var out bytes.Buffer
		require.NoError(t, write(&out, resulttest.Ada()), name)
		text := out.String()
		if name == "github-classroom.b64" {
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
	var out bytes.Buffer
	require.NoError(t, Annotations(&out, record(audience.ForStudent, resulttest.Refused())))
	assert.Equal(t, "::error file=labs/01-example/gather.go,line=41,title=01-example%3A compile error::undefined: reslts\n", out.String())

	out.Reset()
	require.NoError(t, Exercism(&out, record(audience.ForStudent, resulttest.Refused())))
	assert.Contains(t, out.String(), `"status": "error"`)
}

func TestWhatIsNotDecidedIsNeverAZero(t *testing.T) {
	oneCase := resulttest.With(func(g *result.Grade) {
		g.Cases[0] = outcome.Result{Case: g.Cases[0].Case, Max: 5, Verdict: verdict.CheckerError, Message: "killed"}
	})
	for _, g := range []result.Grade{resulttest.Broken(), oneCase} {
		for name, write := range writers(audience.ForStudent) {
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
	require.NoError(t, writers(audience.ForTeacher)["gradebook.csv"](&out, resulttest.Broken(), resulttest.With(func(g *result.Grade) {
		g.Lab, g.Status, g.Points, g.Cases = "02-other", result.Missing, 0, nil
	})))
	assert.Equal(t, "student,name,group,01-example,02-other,total,max,undecided\ns100,Ada Adeyemi,A,not graded,,,40,20\n", out.String())

	out.Reset()
	require.NoError(t, GitHubClassroom(&out, record(audience.ForStudent, oneCase)))
	assert.Contains(t, pretty(t, out.String()), `"status": "error"`)
}

func TestLateness(t *testing.T) {
	deadline := time.Date(2026, 3, 6, 22, 59, 0, 0, time.UTC)
	late := resulttest.With(func(g *result.Grade) {
		g.Late = &result.Late{Submitted: deadline.Add(time.Hour), Deadline: deadline, Earned: 4, Percent: 50}
		g.Points = 2
	})
	out := map[string]string{}
	for name, write := range writers(audience.ForStudent) {
		var b bytes.Buffer
		require.NoError(t, write(&b, late))
		out[name] = b.String()
	}
	assert.Contains(t, out["gradescope.json"], `"score": 2,`)
	assert.Contains(t, out["classroom50.json"], "\"score\": 4,\n  \"max-score\": 20", "tests have to add up; lateness is Classroom 50's own business")
	assert.Contains(t, out["gradebook.csv"], ",2,2,20,0\n")
}

func TestTheGradebookAddsUpToWhatWasGraded(t *testing.T) {
	class := resulttest.NewClass(2, 40, 5)
	var out bytes.Buffer
	require.NoError(t, WriteGradebook(&out, records(audience.Reader{To: audience.ForTeacher, Book: resulttest.Book()}, class)))
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 41)
	want := map[string]int{}
	for _, g := range class.Grades {
		want[g.Student.ID] += g.Points
	}
	for _, row := range rows[1:] {
		sum := 0
		for _, cell := range row[3:8] {
			if cell == "" || cell == notGraded {
				continue
			}
			n, err := strconv.Atoi(cell)
			require.NoError(t, err)
			sum += n
		}
		assert.Equal(t, want[row[0]], sum, row)
		assert.Equal(t, strconv.Itoa(sum), row[8], row)
	}
}

func TestTheGradebookEndsWithTheFirstError(t *testing.T) {
	err := WriteGradebook(io.Discard, func(yield func(audience.Record, error) bool) { yield(audience.Record{}, os.ErrClosed) })
	require.ErrorIs(t, err, os.ErrClosed)
}

func FuzzCellText(f *testing.F) {
	for _, text := range resulttest.Hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		g := resulttest.With(func(g *result.Grade) { g.Student.Name = text })
		if err := writers(audience.ForTeacher)["gradebook.csv"](&out, g); err != nil {
			t.Fatal(err)
		}
		if !soundCSV(t, out.String()) {
			t.Errorf("%q", text)
		}
	})
}
