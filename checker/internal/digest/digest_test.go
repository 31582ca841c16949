package digest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnyChangeOfTheCheckerChangesItsHash(t *testing.T) {
	root := t.TempDir()
	files := []string{"program", "go.mod", "go.sum", "labs/kit/pod.go", "checker/internal/verdict/verdict.go", "checker/nudge/nudge.s", "solutions/07-store/store.go"}
	write := func(name, text string) {
		name = filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	key := func() string {
		k, err := Checker(filepath.Join(root, "program"), root)
		require.NoError(t, err)
		return k
	}
	for _, name := range files {
		write(name, "as it was")
	}
	before := key()
	for _, name := range files {
		write(name, "changed")
		assert.NotEqual(t, before, key(), name)
		write(name, "as it was")
	}
	require.NoError(t, os.RemoveAll(filepath.Join(root, "solutions")))
	assert.NotEqual(t, before, key(), "a student's copy has no solutions")
	write("solutions/07-store/store.go", "as it was")
	write("labs/01-goroutines/gather.go", "the learner's own")
	assert.Equal(t, before, key(), "the same checker has another hash")
}

// TestSourcesAreAllThatCasesAreMadeOf asks the go command what goes into a case.
func TestSourcesAreAllThatCasesAreMadeOf(t *testing.T) {
	cmd := exec.Command("go", "list", "-race", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", "./checker/internal/suites/...", "./checker/internal/bridges/...")
	cmd.Dir = filepath.Join("..", "..", "..")
	out, err := cmd.Output()
	require.NoError(t, err)
	root, err := filepath.Abs(cmd.Dir)
	require.NoError(t, err)
	dirs := strings.Fields(string(out))
	require.NotEmpty(t, dirs)
	for _, dir := range dirs {
		rel, err := filepath.Rel(root, dir)
		require.NoError(t, err)
		rel = filepath.ToSlash(rel)
		covered := slices.ContainsFunc(sources, func(s string) bool { return rel == s || strings.HasPrefix(rel, s+"/") })
		assert.True(t, covered || strings.HasPrefix(rel, "labs/"), "%s is compiled into a case and not hashed", rel) // a lab is the submission's place
	}
}
