package upstream

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A row that nothing could fail would say nothing: each mistake is put into the operator, and
// its case has to notice.
func TestOperatorMistakesAreNoticed(t *testing.T) {
	for _, m := range Mistakes {
		t.Run(m.What, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			binary := filepath.Join(dir, "upstream.test")
			build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay(t, dir, m), "-o", binary, ".")
			out, err := build.CombinedOutput()
			require.NoError(t, err, "%s", out)
			out, err = exec.Command(binary, "-test.run=^TestOperator$/^"+m.Case+"$").CombinedOutput()
			var failed *exec.ExitError
			require.True(t, errors.As(err, &failed), "The operator passes with this mistake.\n%s", out)
			assert.Contains(t, string(out), "FAIL: TestOperator/"+m.Case)
		})
	}
}

// overlay is the name of a file that tells the compiler of the operator with the mistake.
func overlay(t *testing.T, dir string, m Mistake) string {
	name, err := filepath.Abs(filepath.Join("operator", m.File))
	require.NoError(t, err)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	for i := 0; i < len(m.Edits); i += 2 {
		require.Equal(t, 1, strings.Count(string(text), m.Edits[i]), "%s: %s", m.File, m.Edits[i])
	}
	edited := filepath.Join(dir, m.File)
	require.NoError(t, os.WriteFile(edited, []byte(strings.NewReplacer(m.Edits...).Replace(string(text))), 0o644))
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{name: edited}})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, replace, 0o644))
	return list
}

func TestMistakesAreDocumented(t *testing.T) {
	documented(t, "../../docs/operator.md", "mistakes", MistakeTable())
}
