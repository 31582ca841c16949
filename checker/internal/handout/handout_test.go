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
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

func root(t *testing.T) string {
	wd, err := os.Getwd()
	require.NoError(t, err)
	return filepath.Join(wd, "..", "..", "..")
}

// TestAHandoutWorksAndHoldsNoSecret makes a handout and treats it as a student would
// who looks for the hidden cases: in every file, and in the checker built from them.
func TestAHandoutWorksAndHoldsNoSecret(t *testing.T) {
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
	t.Run("no secret in a file", func(t *testing.T) { holdsNoSecret(t, files) })
	t.Run("only what a student needs", func(t *testing.T) { holdsOnly(t, files) })
	t.Run("every link leads somewhere", func(t *testing.T) { linksResolve(t, files) })
	t.Run("the checker", func(t *testing.T) { checkerWorks(t, out) })
	siblings, err := os.ReadDir(filepath.Dir(out))
	require.NoError(t, err)
	assert.Len(t, siblings, 1, "something was left beside the handout")
}

func faultsOf(t *testing.T, lab catalog.Lab) []seeded.Fault {
	all, err := seeded.All(root(t), lab)
	require.NoError(t, err)
	require.NotEmpty(t, all)
	return all
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

// holdsNoSecret searches in its own way, and not with what the command itself trusts.
func holdsNoSecret(t *testing.T, files tree) {
	known, err := readPublished(root(t))
	require.NoError(t, err)
	whole := map[string]string{}
	for name, text := range files {
		whole[name] = plain(string(text))
	}
	absent := func(what, text string) {
		for name, content := range whole {
			if strings.Contains(content, text) {
				t.Errorf("%s holds %s: %s", name, what, text)
			}
		}
	}
	for _, lab := range suites.All() {
		for _, c := range lab.Cases {
			if c.Public {
				continue
			}
			for _, mark := range []string{`"`, "`"} {
				absent("the name of a hidden case", mark+c.Name+mark)
			}
			for _, text := range append([]string{c.Rule, c.Why}, c.Hint...) {
				if text = plain(text); len(text) >= minimum && !strings.Contains(known.prose, text) {
					absent("a sentence of hidden case "+c.Name, text)
				}
			}
		}
		for _, f := range faultsOf(t, lab) {
			absent("the name of a fault", `"`+f.Name+`"`)
			absent("a mistake", plain(f.Mistake))
		}
	}
}

// holdsOnly checks that nothing came along by accident.
func holdsOnly(t *testing.T, files tree) {
	for name := range files {
		base := path.Base(name)
		assert.False(t, strings.HasPrefix(name, "solutions/"), "%s is in the handout", name)
		assert.False(t, strings.HasPrefix(name, "checker/alternatives/"), "%s is in the handout", name)
		assert.False(t, strings.HasPrefix(name, "checker/mutants/"), "%s is in the handout", name)
		assert.False(t, strings.HasPrefix(name, seeded.Dir+"/"), "%s is in the handout", name)
		assert.False(t, strings.HasPrefix(base, "hidden"), "%s is in the handout", name)
		assert.False(t, strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, bridgesDir), "%s is in the handout", name)
		for _, dir := range []string{"grade", "submission", "faults", "seeded", "mutate", "handout", "similarity", "hostile", "lesson", "bench", "arch"} {
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

// shell runs commands in a handout, without a network.
type shell struct {
	t   *testing.T
	dir string
}

// run wants the exit code, and every text to be in what the command says.
func (s shell) run(code int, texts []string, command ...string) {
	s.t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PWD="+s.dir, "GOPROXY=off", "GOFLAGS=", "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(s.t, err)
	}
	assert.Equal(s.t, code, cmd.ProcessState.ExitCode(), "%s: %s", command, out)
	for _, text := range texts {
		assert.Contains(s.t, string(out), text, "%s", command)
	}
}

// checkerWorks builds the checker without a network, and runs it.
func checkerWorks(t *testing.T, out string) {
	s := shell{t, out}
	bin := filepath.Join(out, "bin", "checker")
	s.run(0, nil, "go", "build", "-buildvcs=false", "-o", bin, "./checker")
	binaryTellsNothing(t, bin)

	lab := catalog.Labs()[0]
	w := withheldOf(lab)
	public := len(lab.Cases) - w.Cases
	s.run(1, []string{
		fmt.Sprintf("%d not implemented", public),
		fmt.Sprintf("public 0/%d · hidden cases are graded in class", public),
	}, bin, "run", "1", "--again")
	for _, command := range []string{"solution", "verify", "grade"} {
		s.run(2, []string{"is not in a student's copy"}, bin, command, "1", "--spoil")
	}
	s.run(2, []string{"no solutions"}, bin, "run", "1", "--subject", "solution")
	s.run(0, []string{"hidden cases are graded in class"}, bin, "list")
	s.run(2, []string{"nothing to hand in"}, "make", "handin")

	// A changed declaration is noticed by the pins of the stub, which came along.
	file := filepath.Join(out, lab.LabPath(), lab.Files[0])
	stub, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, bytes.Replace(stub, []byte("limit int,"), []byte("limit int64,"), 1), 0o644))
	s.run(1, []string{"Gather is not declared as in the stub", "the lab needs: func Gather[T any]"}, bin, "run", "1", "--again")

	for _, f := range lab.Files {
		solution, err := os.ReadFile(filepath.Join(root(t), lab.SolutionPath(), f))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(out, lab.LabPath(), f), solution, 0o644))
	}
	s.run(0, []string{
		fmt.Sprintf("public %d/%d · hidden cases are graded in class: %d, worth %d points", public, public, w.Cases, w.Points),
	}, "make", "lab-1", "AGAIN=1")
	s.run(0, []string{"handin-01.", "handin."}, "make", "handin-1", "handin")

	for _, lab := range catalog.Labs() {
		if len(lab.Parts) > 0 { // it is built with the pins of other labs
			s.run(1, []string{"hidden cases are graded in class"}, bin, "run", lab.Dir)
		}
	}
}

// binaryTellsNothing looks for rules and mistakes in the compiled checker. Its stubs may
// say a rule: they are the contract.
func binaryTellsNothing(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	binary := string(text)
	for _, lab := range suites.All() {
		contract := ""
		for _, f := range lab.Files {
			stub, err := lab.Stub(f)
			require.NoError(t, err)
			contract += plain(string(stub))
		}
		for _, c := range lab.Cases {
			contained := c.Public || strings.Contains(contract, plain(c.Rule))
			assert.True(t, contained || !strings.Contains(binary, c.Rule), "the checker holds the rule of hidden case %s", c.Name)
		}
		for _, f := range faultsOf(t, lab) {
			assert.False(t, strings.Contains(binary, f.Mistake), "the checker holds the mistake of fault %s", f.Name)
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
