package lesson

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

func root(t *testing.T) string {
	wd, err := os.Getwd()
	require.NoError(t, err)
	return filepath.Join(wd, "..", "..", "..")
}

// TestEveryLabIsComplete: lessons, tables, the catalog's files, points, and labs/ as it is handed out. In a
// tree where somebody works on the labs, marked by its progress file, code differs
// from the stubs and may.
func TestEveryLabIsComplete(t *testing.T) {
	_, err := os.Stat(filepath.Join(root(t), ".controllerbook", "progress"))
	atWork := err == nil
	for _, s := range suites.All() {
		for _, p := range Problems(root(t), s) {
			if atWork && strings.HasSuffix(p, "is not the stub") {
				continue
			}
			t.Errorf("%s: %s", s.Dir, p)
		}
	}
}

func TestFixWritesTheTableAndTheMissingStub(t *testing.T) {
	dir := t.TempDir()
	lab, err := catalog.Find("1")
	require.NoError(t, err)
	readme := filepath.Join(dir, "labs", lab.Dir, "README.md")
	require.NoError(t, os.MkdirAll(filepath.Dir(readme), 0o755))
	require.NoError(t, os.WriteFile(readme, []byte("# Lab\n\n"+begin+"old\n"+end+"\ntail\n"), 0o644))

	require.NoError(t, Fix(dir, lab))
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	assert.Equal(t, "# Lab\n\n"+begin+generated(lab)+end+"\ntail\n", string(text))
	assert.NotContains(t, Problems(dir, lab), lab.DataPath()+" is out of step: checker verify --fix")
	require.NoError(t, os.WriteFile(filepath.Join(dir, lab.DataPath()), []byte("{}"), 0o644))
	assert.Contains(t, Problems(dir, lab), lab.DataPath()+" is out of step: checker verify --fix")
	stub, err := os.ReadFile(filepath.Join(dir, "labs", lab.Dir, lab.Files[0]))
	require.NoError(t, err)
	assert.Contains(t, string(stub), "kit.TODO")

	own := []byte("package goroutines // somebody's work\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "labs", lab.Dir, lab.Files[0]), own, 0o644))
	require.NoError(t, Fix(dir, lab))
	kept, err := os.ReadFile(filepath.Join(dir, "labs", lab.Dir, lab.Files[0]))
	require.NoError(t, err)
	assert.Equal(t, own, kept, "Fix wrote over a learner's code")
	assert.Contains(t, Problems(dir, lab), "labs/01-goroutines/gather.go is not the stub")
}

func TestALessonWithoutMarksIsAProblem(t *testing.T) {
	_, err := withTable("# Lab\n", "table")
	require.ErrorContains(t, err, "cases:begin")
}

func TestTheStepsNameEachCaseOnce(t *testing.T) {
	lab := catalog.Lab{}
	lab.Cases = []conform.Meta{{Name: "keeps-order"}, {Name: "waits"}, {Name: "no-tasks"}}
	text := "# Lab\n\n`waits`\n\n## Steps\n\n1. Now green: `keeps-order`, `no-tasks`.\n2. `no-tasks`\n\n## The cases\n\n`keeps-order`\n"
	var found []string
	lessonProblems(text, lab, func(format string, args ...any) {
		if strings.HasPrefix(format, "the steps name") {
			found = append(found, fmt.Sprintf("%v", args))
		}
	})
	assert.Equal(t, []string{"[waits 0]", "[no-tasks 2]"}, found)
}

// TestGivenFilesAreTheSame: what a lab gives whole is no other in its solution.
func TestGivenFilesAreTheSame(t *testing.T) {
	given := 0
	for _, lab := range catalog.Labs() {
		for _, file := range lab.Files {
			stub, err := os.ReadFile(filepath.Join(root(t), "checker", "internal", "stubs", lab.Dir, file))
			require.NoError(t, err)
			if !strings.Contains(string(stub), "\n// This file is given") {
				continue
			}
			given++
			solution, err := os.ReadFile(filepath.Join(root(t), "solutions", lab.Dir, file))
			require.NoError(t, err)
			assert.Equal(t, string(stub), string(solution), "%s/%s is given, and the solution has another", lab.Dir, file)
		}
	}
	require.NotZero(t, given, "no file is given any longer: what marks them is now another sentence")
}
