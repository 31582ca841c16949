package grade

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/classdir"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
)

// school is a class on disk.
type school struct {
	dir, root string
	lab       catalog.Lab
	reference string
}

func newSchool(t *testing.T, students map[string]string) *school {
	t.Helper()
	wd, err := os.Getwd()
	require.NoError(t, err)
	s := &school{dir: t.TempDir(), root: filepath.Join(wd, "..", "..", "..")}
	s.lab, err = catalog.Find("1")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(s.root, s.lab.SolutionPath(), "gather.go"))
	require.NoError(t, err)
	s.reference = string(text)
	for name, source := range students {
		s.hand(t, name, source)
	}
	return s
}

// hand submits for a student: "reference" is the reference with a comment of the
// student's own, "twice" is two answers, and nothing is an empty folder.
func (s *school) hand(t *testing.T, name, source string) {
	dir := filepath.Join(s.dir, "class", name)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	switch source {
	case "":
		return
	case "twice":
		s.hand(t, filepath.Join(name, "a"), "1")
		s.hand(t, filepath.Join(name, "b"), "2")
		return
	case "reference":
		source = s.reference + "\n// by " + name + "\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gather.go"), []byte(source), 0o644))
}

// grade grades the class and returns what it did, by student.
func (s *school) grade(t *testing.T, out string, change func(*Options)) (map[string]Event, Summary, error) {
	t.Helper()
	return s.gradeCtx(t, t.Context(), out, change)
}

func (s *school) gradeCtx(t *testing.T, ctx context.Context, out string, change func(*Options)) (map[string]Event, Summary, error) {
	t.Helper()
	temp := t.TempDir()
	labs := []catalog.Lab{s.lab}
	search := SearchWithParts(labs)
	search.Temp = temp
	class, err := submission.Open(filepath.Join(s.dir, "class"), search)
	require.NoError(t, err)
	defer class.Close()
	events := map[string]Event{}
	o := Options{
		Labs: labs, Out: filepath.Join(s.dir, out), Jobs: 2, Seed: 1, Isolation: "none",
		Progress: func(e Event) { events[e.Student] = e },
	}
	if change != nil {
		change(&o)
	}
	summary, err := Run(ctx, &gotest.Kit{Root: s.root, Temp: temp}, class, o)
	return events, summary, err
}

// derive writes the gradebook and returns all derived files' contents by name.
func (s *school) derive(t *testing.T, out string) map[string]string {
	t.Helper()
	dir := filepath.Join(s.dir, out)
	require.NoError(t, classdir.Write(dir, result.ReadDir(dir), resulttest.Book()))
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		if err != nil || e.IsDir() || strings.HasPrefix(rel, "results") || strings.HasPrefix(rel, "logs") {
			return err
		}
		text, err := os.ReadFile(name)
		files[rel] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	}))
	return files
}

const broken = "package goroutines\n\nfunc Gather() {}\n"

func TestNothingIsGradedTwice(t *testing.T) {
	s := newSchool(t, map[string]string{"ann": "reference", "bob": broken, "cyd": broken, "dan": ""})
	first, summary, err := s.grade(t, "out", nil)
	require.NoError(t, err)
	assert.Equal(t, 4, summary.Graded)
	assert.Equal(t, 100, first["ann"].Points)
	assert.Equal(t, "forbidden", first["bob"].Word)
	assert.True(t, first["bob"].Shared || first["cyd"].Shared, "two who submitted the same are graded once")
	assert.Equal(t, "missing", first["dan"].Word)

	again, summary, err := s.grade(t, "out", nil)
	require.NoError(t, err)
	assert.Zero(t, summary.Graded)
	assert.True(t, again["ann"].Earlier)

	s.hand(t, "ann", broken)
	again, summary, err = s.grade(t, "out", nil)
	require.NoError(t, err)
	assert.Equal(t, 1, summary.Graded, "a student who submits again is graded again")
	assert.Equal(t, "forbidden", again["ann"].Word)

	_, summary, err = s.grade(t, "out", func(o *Options) { o.Only = []string{"missing"} })
	require.NoError(t, err)
	assert.Equal(t, 1, summary.Graded)
	_, summary, err = s.grade(t, "out", func(o *Options) { o.Regrade, o.Students = true, []string{"bob"} })
	require.NoError(t, err)
	assert.Equal(t, [2]int{1, 1}, [2]int{summary.Pairs, summary.Graded})
	_, _, err = s.grade(t, "out", func(o *Options) { o.Students = []string{"eve"} })
	var unknown *UnknownStudentError
	require.ErrorAs(t, err, &unknown)
}

func TestADamagedResultIsMadeAgain(t *testing.T) {
	s := newSchool(t, map[string]string{"bob": broken})
	_, _, err := s.grade(t, "out", nil)
	require.NoError(t, err)
	name := resultPath(filepath.Join(s.dir, "out"), "bob", s.lab.Dir)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, text[:len(text)/2], 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(name), "."+s.lab.Dir+".json.123"), text[:9], 0o600))
	_, summary, err := s.grade(t, "out", nil)
	require.NoError(t, err)
	assert.Equal(t, 1, summary.Graded)
	left, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	assert.Len(t, left, 1, "what a killed run left half written is gone")
}

// TestShardsAreOneClass grades a class whole and in seven parts.
func TestShardsAreOneClass(t *testing.T) {
	students := map[string]string{"ref": "reference"} // one: each shard with something to run checks its lab
	for i := range 30 {
		students[fmt.Sprintf("s%02d", i)] = []string{"", "twice"}[i%2]
	}
	s := newSchool(t, students)
	_, _, err := s.grade(t, "whole", nil)
	require.NoError(t, err)
	var dirs []string
	graded := 0
	for k := 1; k <= 7; k++ {
		dir := fmt.Sprintf("shard-%d", k)
		_, summary, err := s.grade(t, dir, func(o *Options) { o.Shard = Shard{k, 7} })
		require.NoError(t, err)
		graded += summary.Graded
		dirs = append(dirs, filepath.Join(s.dir, dir))
	}
	assert.Equal(t, len(students), graded, "each student is in one shard")
	n, err := Merge(filepath.Join(s.dir, "merged"), dirs)
	require.NoError(t, err)
	assert.Equal(t, len(students), n)
	whole, merged := s.derive(t, "whole"), s.derive(t, "merged")
	require.Contains(t, whole, "gradebook.csv")
	assert.Equal(t, whole["gradebook.csv"], merged["gradebook.csv"], "the gradebooks differ")
	_, err = Merge(filepath.Join(s.dir, "merged"), dirs)
	require.NoError(t, err, "merging again changes nothing")

	s.hand(t, "s08", "package goroutines\n")
	_, _, err = s.grade(t, "other", func(o *Options) { o.Students = []string{"s08"} })
	require.NoError(t, err)
	before := s.derive(t, "merged")
	_, err = Merge(filepath.Join(s.dir, "merged"), []string{filepath.Join(s.dir, "other")})
	var conflict *ConflictError
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, "s08", conflict.Student)
	assert.Contains(t, err.Error(), "merged")
	assert.Contains(t, err.Error(), "other")
	assert.Equal(t, before, s.derive(t, "merged"), "a conflict changes nothing")
}

func TestShards(t *testing.T) {
	for i := range 200 {
		in := 0
		for k := 1; k <= 7; k++ {
			if (Shard{k, 7}).Has(fmt.Sprint("student", i)) {
				in++
			}
		}
		assert.Equal(t, 1, in)
	}
	for _, bad := range []string{"", "1", "0/7", "8/7", "a/b", "1/0", "-1/2"} {
		_, err := ParseShard(bad)
		assert.Error(t, err, bad)
	}
}

func TestABrokenMachineCostsNobodyAnything(t *testing.T) {
	s := newSchool(t, map[string]string{"bob": broken, "ann": "reference"})
	fails := func(o *Options) { o.Progress = nil }
	t.Setenv("GOCACHE", "/dev/null/nowhere")
	_, _, err := s.grade(t, "out", fails)
	require.ErrorIs(t, err, errUntrusted, "the lab check fails")
	assert.NoFileExists(t, resultPath(filepath.Join(s.dir, "out"), "ann", s.lab.Dir))
}

func TestPoliciesForLateness(t *testing.T) {
	due := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	p := Policy{Deadline: due, Grace: 10 * time.Minute, Percent: 10, Cap: 50, Cutoff: due.Add(10 * 24 * time.Hour)}
	for after, want := range map[time.Duration]int{
		-time.Hour: 100, 0: 100, 10 * time.Minute: 100, 11 * time.Minute: 90, 24 * time.Hour: 90, 24*time.Hour + time.Second: 80,
		5 * 24 * time.Hour: 50, 9 * 24 * time.Hour: 50, 10*24*time.Hour + time.Second: 0,
	} {
		got := 100
		if l := p.Late(due.Add(after), false, 100); l != nil {
			got = left(l)
		}
		assert.Equal(t, want, got, after.String())
	}
	assert.Equal(t, 90, left(p.Late(due.Add(-time.Hour), true, 100)), "the LMS says that it was late")
	assert.Equal(t, 90, left(p.Late(time.Time{}, true, 100)), "and nothing says when")
	assert.Equal(t, 6, left(&result.Late{Earned: 7, Percent: 10}), "to the nearest point")
}

func TestDeadlinesAreRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deadlines")
	require.NoError(t, os.WriteFile(file, []byte("# the term\n\n02=2026-11-01\n"), 0o644))
	d, err := ParseDeadlines([]string{"1=2026-10-01T23:59+02:00,percent=10,cap=50%,grace=15m,cutoff=2026-10-08", file, "all=2026-12-01"})
	require.NoError(t, err)
	p, ok := d.For("01-goroutines")
	require.True(t, ok)
	assert.Equal(t, "2026-10-01 21:59:00 +0000 UTC", p.Deadline.String())
	assert.Equal(t, [2]int{10, 50}, [2]int{p.Percent, p.Cap})
	p, _ = d.For("02-channels")
	assert.Equal(t, "2026-11-01 23:59:59 +0000 UTC", p.Deadline.String())
	p, _ = d.For("03-backpressure")
	assert.Equal(t, time.December, p.Deadline.Month())
	for _, bad := range []string{"tomorrow", "99=2026-10-01", "1=2026-10-01,percent=200", "1=2026-10-01,colour=red", "1=2026-10-01,grace=long"} {
		_, err := ParseDeadlines([]string{bad})
		assert.Error(t, err, bad)
	}
}

func TestANewDeadlineNeedsNoGrading(t *testing.T) {
	s := newSchool(t, map[string]string{"ann": "reference"})
	due := time.Now().Add(-36 * time.Hour)
	_, _, err := s.grade(t, "out", nil)
	require.NoError(t, err)
	d, err := ParseDeadlines([]string{"1=" + due.Format(time.RFC3339) + ",percent=10"})
	require.NoError(t, err)
	events, summary, err := s.grade(t, "out", func(o *Options) { o.Deadlines = d })
	require.NoError(t, err)
	assert.Zero(t, summary.Graded)
	assert.Equal(t, 80, events["ann"].Points, "two days have begun")
	g, ok := load(filepath.Join(s.dir, "out"), "ann", s.lab.Dir)
	require.True(t, ok)
	assert.Equal(t, 100, g.Late.Earned)
	events, _, err = s.grade(t, "out", nil)
	require.NoError(t, err)
	assert.Equal(t, 100, events["ann"].Points)
}

func TestACancelledRunGoesOn(t *testing.T) {
	students := map[string]string{}
	for i := range 6 {
		students[fmt.Sprintf("s%d", i)] = "reference"
	}
	s := newSchool(t, students)
	ctx, cancel := context.WithCancel(t.Context())
	_, first, err := s.gradeCtx(t, ctx, "out", func(o *Options) { o.Progress = func(e Event) { cancel() } })
	require.ErrorIs(t, err, context.Canceled)
	assert.Positive(t, first.Graded)
	assert.Less(t, first.Graded, len(students))
	events, second, err := s.grade(t, "out", nil)
	require.NoError(t, err)
	assert.Equal(t, len(students), first.Graded+second.Graded, "nothing twice and nothing lost")
	for id, e := range events {
		assert.Equal(t, 100, e.Points, id)
	}
}

func TestOneLabIsFoundAnywhereThoughItHasParts(t *testing.T) {
	whole, err := catalog.Find("22")
	require.NoError(t, err)
	search := SearchWithParts([]catalog.Lab{whole})
	assert.Len(t, search.Labs, 1+len(whole.Parts))
	assert.Equal(t, whole.Dir, search.Unnamed)
	assert.Empty(t, SearchWithParts(catalog.Labs()).Unnamed)
}
