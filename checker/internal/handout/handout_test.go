package handout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

func root(t *testing.T) string {
	wd, err := os.Getwd()
	require.NoError(t, err)
	return filepath.Join(wd, "..", "..", "..")
}

// TestAHandoutWorksAndTellsNothing makes a handout and treats it as a student would
// who looks for the hidden cases: in every file, and in the checker built from them.
func TestAHandoutWorksAndTellsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a checker and runs a lab")
	}
	out := filepath.Join(t.TempDir(), "class", "book")
	s, err := Write(t.Context(), Options{Root: root(t), Out: out, Commands: []string{"solution", "verify", "grade"}})
	require.NoError(t, err)
	assert.Len(t, catalog.Labs(), s.Labs)
	assert.NotZero(t, s.Hidden)
	assert.NotZero(t, s.Faults)

	files := read(t, out)
	assert.Len(t, files, s.Files)
	t.Run("no secret in a file", func(t *testing.T) { tellsNothing(t, files) })
	t.Run("only what a student needs", func(t *testing.T) { holdsOnly(t, files) })
	t.Run("every link leads somewhere", func(t *testing.T) { linksResolve(t, files) })
	t.Run("the checker", func(t *testing.T) { checkerWorks(t, out) })
	siblings, err := os.ReadDir(filepath.Dir(out))
	require.NoError(t, err)
	assert.Len(t, siblings, 1, "something was left beside the handout")
}

// read is every file of a directory, by path.
func read(t *testing.T, dir string) tree {
	files := tree{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = text
		return err
	}))
	return files
}

// tellsNothing searches in its own way, and not with what the command itself trusts.
func tellsNothing(t *testing.T, files tree) {
	told, err := told(root(t))
	require.NoError(t, err)
	whole := map[string]string{}
	for name, text := range files {
		whole[name] = plain(string(text))
	}
	say := func(what, text string) {
		for name, content := range whole {
			if strings.Contains(content, text) {
				t.Errorf("%s holds %s: %s", name, what, text)
			}
		}
	}
	for _, lab := range catalog.Labs() {
		for _, c := range lab.Cases {
			if c.Public {
				continue
			}
			for _, mark := range []string{`"`, "`"} {
				say("the name of a hidden case", mark+c.Name+mark)
			}
			for _, text := range append([]string{c.Rule, c.Why}, c.Hint...) {
				if text = plain(text); len(text) >= minimum && !strings.Contains(told.prose, text) {
					say("a sentence of hidden case "+c.Name, text)
				}
			}
		}
		for _, f := range lab.Faults {
			say("the name of a fault", `"`+f.Name+`"`)
			say("a mistake", plain(f.Mistake))
		}
	}
}

// holdsOnly checks that nothing came along by accident.
func holdsOnly(t *testing.T, files tree) {
	for name := range files {
		base := path.Base(name)
		assert.False(t, strings.HasPrefix(name, "solutions/"), "%s is in the handout", name)
		assert.False(t, strings.HasPrefix(base, "hidden") || strings.HasPrefix(base, "faults"), "%s is in the handout", name)
		assert.False(t, strings.HasSuffix(name, "_test.go") && base != "bridge_test.go", "%s is in the handout", name)
		for _, dir := range []string{"grade", "submission", "faults", "handout", "similarity", "hostile", "lesson", "bench", "arch"} {
			assert.False(t, strings.HasPrefix(name, "checker/internal/"+dir+"/"), "%s is in the handout", name)
		}
		if strings.HasPrefix(name, "docs/") {
			assert.Equal(t, "docs/anatomy-of-an-informer.md", name)
		}
	}
	for _, lab := range catalog.Labs() {
		for _, f := range lab.Files {
			stub, err := lab.Stub(f)
			require.NoError(t, err)
			assert.Equal(t, string(stub), string(files[lab.LabPath()+"/"+f]))
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#:\s]*[./][^)#:\s]*)(#[^)]*)?\)`)

func linksResolve(t *testing.T, files tree) {
	for name, text := range files {
		if path.Ext(name) != ".md" {
			continue
		}
		for _, m := range link.FindAllSubmatch(text, -1) {
			to := path.Join(path.Dir(name), string(m[1]))
			_, found := files[to]
			assert.True(t, found, "%s links to %s, which is not in the handout", name, to)
		}
	}
}

// checkerWorks builds the checker without a network, and runs it.
func checkerWorks(t *testing.T, out string) {
	run := func(name string, args ...string) (string, int) {
		cmd := exec.Command(name, args...)
		cmd.Dir = out
		cmd.Env = append(os.Environ(), "PWD="+out, "GOPROXY=off", "GOFLAGS=", "NO_COLOR=1")
		text, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			require.NoError(t, err)
		}
		return string(text), cmd.ProcessState.ExitCode()
	}
	bin := filepath.Join(out, "bin", "checker")
	text, code := run("go", "build", "-buildvcs=false", "-o", bin, "./checker")
	require.Zero(t, code, text)

	lab := catalog.Labs()[0]
	w := withheldOf(lab)
	public := len(lab.Cases) - w.Cases
	text, code = run(bin, "run", "1")
	assert.Equal(t, 1, code, text)
	assert.Contains(t, text, fmt.Sprintf("%d not implemented", public))
	assert.Contains(t, text, fmt.Sprintf("public 0/%d · hidden cases are graded in class", public))
	for _, command := range []string{"solution", "verify", "grade"} {
		text, code = run(bin, command, "1", "--spoil")
		assert.Equal(t, 2, code, text)
		assert.Contains(t, text, "is not in a student's copy")
	}
	text, code = run(bin, "run", "1", "--subject", "solution")
	assert.Equal(t, 2, code, text)
	text, code = run(bin, "list")
	assert.Zero(t, code, text)
	assert.Contains(t, text, "hidden cases are graded in class")

	text, code = run("make", "handin")
	assert.NotZero(t, code, "a workbook in which nothing was done was packed: %s", text)
	for _, f := range lab.Files {
		solution, err := os.ReadFile(filepath.Join(root(t), lab.SolutionPath(), f))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(out, lab.LabPath(), f), solution, 0o644))
	}
	text, code = run("make", "lab-1")
	assert.Zero(t, code, text)
	assert.Contains(t, text, fmt.Sprintf("public %d/%d · hidden cases are graded in class: %d, worth %d points", public, public, w.Cases, w.Points))
	text, code = run("make", "handin-1", "handin")
	assert.Zero(t, code, text)
	assert.Regexp(t, `handin-01\.(zip|tar\.gz)\nhandin\.(zip|tar\.gz)\n`, text)

	binary, err := os.ReadFile(bin)
	require.NoError(t, err)
	for _, lab := range catalog.Labs() {
		for _, f := range lab.Faults {
			assert.False(t, bytes.Contains(binary, []byte(f.Mistake)), "the checker holds the mistake of fault %s", f.Name)
		}
		for _, c := range lab.Cases {
			if !c.Public && !strings.Contains(string(binary), c.Rule) {
				continue
			}
			stub := ""
			for _, f := range lab.Files {
				text, _ := lab.Stub(f)
				stub += plain(string(text))
			}
			assert.True(t, c.Public || strings.Contains(stub, plain(c.Rule)), "the checker holds the rule of hidden case %s", c.Name)
		}
	}
}

func TestOutMustBeFree(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, out := range []string{dir, file} {
		_, err := Write(context.Background(), Options{Root: root(t), Out: out})
		require.ErrorIs(t, err, ErrInUse)
	}
	require.NoError(t, free(t.TempDir()))
	require.NoError(t, free(filepath.Join(dir, "new")))
}
