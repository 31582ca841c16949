package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/faults"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// TestAScreenOfEachVerdict puts a fault with each verdict on its screen.
func TestAScreenOfEachVerdict(t *testing.T) {
	lab := catalog.Labs()[0]
	c := lab.Cases[0]
	for _, v := range verdict.All {
		if v.Standing() != verdict.Faulty || v.Refused() { // a fault that does not compile has no screen
			continue
		}
		d := faultScreens(t.TempDir())
		check := faults.Check{Lab: lab, Fault: "a-fault"}
		require.NoError(t, d.prepare(nil, []faults.Check{check}))
		require.NoError(t, d.write("", check, outcome.Result{Lab: lab.Dir, Case: c.Name, Verdict: v, Max: c.Points, Message: "Something happened."}))
		text, err := os.ReadFile(filepath.Join(string(d), lab.Dir, "a-fault.txt"))
		require.NoError(t, err)
		screen := string(text)
		assert.Contains(t, screen, c.Name+" · "+v.Title())
		assert.Regexp(t, `(?m)^  rule   \S`, screen, "the screen of %s names no rule", v)
		assert.Regexp(t, `\nNext  \S(?:.+\n)+$`, screen, "the screen of %s does not end with a step", v)
		assert.NotContains(t, screen, "\x1b")
		for line := range strings.Lines(screen) {
			assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 80, line)
		}
	}
}

func TestADirectoryOfScreensHoldsNothingElse(t *testing.T) {
	lab := catalog.Labs()[0]
	check := faults.Check{Lab: lab, Fault: "a-fault"}
	for _, other := range []string{"notes.txt", "notes/x.txt", lab.Dir + "/gather.go", lab.Dir + "/more/x.txt"} {
		dir := t.TempDir()
		name := filepath.Join(dir, filepath.FromSlash(other))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, nil, 0o600))
		err := faultScreens(dir).prepare([]catalog.Lab{lab}, []faults.Check{check})
		require.ErrorContains(t, err, "is no screen", other)
		assert.ErrorAs(t, err, new(usageError))
		assert.FileExists(t, name)
	}
	assert.ErrorContains(t, faultScreens("screens.go").prepare(nil, nil), "no directory")
}

func TestScreensOfAnEarlierRunAreReplaced(t *testing.T) {
	lab := catalog.Labs()[0]
	check := faults.Check{Lab: lab, Fault: "a-fault"}
	dir := t.TempDir()
	d := faultScreens(dir)
	files := func() (names []string) {
		found, err := filepath.Glob(filepath.Join(dir, "*", "*"))
		require.NoError(t, err)
		for _, f := range found {
			names = append(names, filepath.Base(f))
		}
		return names
	}
	write := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, lab.Dir, name), nil, 0o600))
	}
	require.NoError(t, d.prepare([]catalog.Lab{lab}, []faults.Check{check}))
	write("a-fault.txt")
	write("renamed.txt")
	require.NoError(t, d.prepare(nil, []faults.Check{check}))
	assert.Equal(t, []string{"renamed.txt"}, files(), "the screen of a fault that is proved alone")
	require.NoError(t, d.prepare([]catalog.Lab{lab}, []faults.Check{check}))
	assert.Empty(t, files(), "those of a lab that is proved as a whole")
}
