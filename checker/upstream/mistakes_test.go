package upstream

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mistakenly is the environment variable that names the mistake the operator is to make: a
// number, in the order of Mistakes.
const mistakenly = "CONTROLLERBOOK_MISTAKE"

// A row that nothing could fail would say nothing: each mistake is put into the operator, and
// its case has to notice. One binary holds them all, each in a copy of package operator.
func TestOperatorMistakesAreNoticed(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "upstream.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay(t), "-o", binary, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for i, m := range Mistakes {
		t.Run(m.What, func(t *testing.T) {
			self := exec.Command(binary, "-test.run=^TestOperator$/^"+m.Case+"$")
			self.Env = append(os.Environ(), fmt.Sprintf("%s=%d", mistakenly, i))
			out, err := self.CombinedOutput()
			var failed *exec.ExitError
			require.ErrorAs(t, err, &failed, "The operator passes with this mistake.\n%s", out)
			assert.Contains(t, string(out), "FAIL: TestOperator/"+m.Case)
		})
	}
}

// overlay is the name of a file that shows the compiler a package operator/mistakeN for each
// mistake, and a test that hands the one that is asked for to the suite. Nothing is written
// into the tree.
func overlay(t *testing.T) string {
	dir := t.TempDir()
	replace := map[string]string{}
	show := func(path, text string) {
		at, err := filepath.Abs(path)
		require.NoError(t, err)
		file := filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		replace[at] = file
	}
	files, err := filepath.Glob("operator/*.go")
	require.NoError(t, err)
	var imports, choices strings.Builder
	for i, m := range Mistakes {
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			switch base := filepath.Base(name); {
			case strings.HasSuffix(base, "_test.go"):
			case base == "api.go":
				show(inCopy(i, base), sameAPI)
			case base == m.File:
				show(inCopy(i, base), edited(t, m, string(text)))
			default:
				show(inCopy(i, base), string(text))
			}
		}
		fmt.Fprintf(&imports, "\tmistake%d \"%s/mistake%d\"\n", i, operatorPath, i)
		fmt.Fprintf(&choices, "\tcase \"%d\":\n\t\tasked = func(r *operator.DatabaseReconciler) databaseReconciler { return (*mistake%d.DatabaseReconciler)(r) }\n", i, i)
	}
	show("mistaken_test.go", fmt.Sprintf(chooser, operatorPath, imports.String(), mistakenly, choices.String()))
	list := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(list, text, 0o644))
	return list
}

func inCopy(mistake int, file string) string {
	return filepath.Join("operator", fmt.Sprintf("mistake%d", mistake), file)
}

// edited is the text of m's file with the mistake in it.
func edited(t *testing.T, m Mistake, text string) string {
	for i := 0; i < len(m.Edits); i += 2 {
		require.Equal(t, 1, strings.Count(text, m.Edits[i]), "%s: %s", m.File, m.Edits[i])
	}
	return strings.NewReplacer(m.Edits...).Replace(text)
}

const operatorPath = "github.com/controllerbook/controllerbook/checker/upstream/operator"

// sameAPI stands for api.go in a copy: the types are the operator's own, and so one
// reconciler can be converted into another.
const sameAPI = `package operator

import base "` + operatorPath + `"

type (
	Database       = base.Database
	DatabaseList   = base.DatabaseList
	DatabaseStatus = base.DatabaseStatus
)

const LossReport = base.LossReport
`

// chooser is the test file of the copies: the path of package operator, the imports, the
// name of the variable, and a case for each copy.
const chooser = `package upstream

import (
	"fmt"
	"os"

	%[1]q
%[2]s)

func init() {
	switch n := os.Getenv(%[3]q); n {
%[4]s	default:
		panic(fmt.Sprintf("no mistake %%q", n))
	}
}
`

func TestMistakesAreDocumented(t *testing.T) {
	documented(t, "../../docs/operator.md", "mistakes", MistakeTable())
}
