package subject

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

// bridged writes a bridge of lab 01 with these files, and returns a repository of
// nothing else and the learner's code in it.
func bridged(t *testing.T, files map[string]string) (string, Subject) {
	t.Helper()
	root := t.TempDir()
	lab := firstLab(t)
	dir := filepath.Join(root, filepath.FromSlash(lab.Bridge))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	s, err := Learner(root, lab)
	require.NoError(t, err)
	return root, s
}

func firstLab(t *testing.T) catalog.Lab {
	t.Helper()
	lab, err := catalog.Find("01-goroutines")
	require.NoError(t, err)
	return lab
}

const (
	solution = `import subject "` + catalog.Module + `/solutions/01-goroutines"`
	learner  = `import subject "` + catalog.Module + `/labs/01-goroutines"`
)

func TestOverlayRetargetsEveryFileOfTheBridge(t *testing.T) {
	root, s := bridged(t, map[string]string{
		"bridge.go": solution, "pins.go": solution, "bridge_test.go": `import "testing"`,
	})
	set, err := s.Overlay(root)
	require.NoError(t, err)
	assert.Equal(t, learner, string(set[s.Lab.Bridge+"/bridge.go"]))
	assert.Equal(t, learner, string(set[s.Lab.Bridge+"/pins.go"]))
	assert.Len(t, set, 2, "a file that does not import the subject stays as it is")
}

func TestOverlayWantsOneImportOfTheSubject(t *testing.T) {
	root, s := bridged(t, map[string]string{"bridge.go": `import "testing"`})
	_, err := s.Overlay(root)
	require.ErrorContains(t, err, "no file of checker/internal/bridges/goroutines imports")
	root, s = bridged(t, map[string]string{"bridge.go": solution + "\n" + solution})
	_, err = s.Overlay(root)
	require.ErrorContains(t, err, "bridge.go does not import")
}

func TestAlternatives(t *testing.T) {
	root, lab := t.TempDir(), firstLab(t)
	names, err := Alternatives(root, lab)
	require.NoError(t, err)
	assert.Empty(t, names, "a workbook without the directory has none")

	write := func(dir, file, text string) {
		dir = filepath.Join(root, "checker", "alternatives", dir)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	write("01-goroutines-one-owner", "gather.go", "package goroutines // owned")
	write("01-goroutines-tickets", "gather.go", "package goroutines")
	write("01-goroutines-tickets", "more.go", "package goroutines")
	write("02-channels-one-owner", "pool.go", "package channels")
	names, err = Alternatives(root, lab)
	require.NoError(t, err)
	assert.Equal(t, []string{"one-owner", "tickets"}, names)

	s, err := Alternative(root, lab, "one-owner")
	require.NoError(t, err)
	assert.Equal(t, lab.LabPath(), s.Path, "it takes the place of the learner's code")
	assert.Equal(t, "package goroutines // owned", string(s.Files["gather.go"]))
	_, err = Alternative(root, lab, "tickets")
	require.ErrorContains(t, err, "more.go")
}

func TestWhatTheLabGivesNeedNotBeSubmitted(t *testing.T) {
	lab, err := catalog.Find("18")
	require.NoError(t, err)
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	s, err := Given(root, lab, map[string][]byte{"strategy.go": []byte("package triggers // mine")})
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"strategy.go", "storm.go", "world.go"}, slices.Collect(maps.Keys(s.Files)), "there is something to do in simulate.go, and it is missing")
	given, err := lab.Stub("world.go")
	require.NoError(t, err)
	assert.Equal(t, string(given), string(s.Files["world.go"]))
	assert.Equal(t, "package triggers // mine", string(s.Files["strategy.go"]))
}
