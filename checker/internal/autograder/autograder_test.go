package autograder

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

func pack(t *testing.T, sandbox string) []byte {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	lab, err := catalog.Find("1")
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, Write(&out, Options{Root: root, Labs: []catalog.Lab{lab}, Sandbox: sandbox, Hidden: "visible"}))
	return out.Bytes()
}

func TestTheZip(t *testing.T) {
	packed := pack(t, "auto")
	assert.Equal(t, packed, pack(t, "auto"), "the same bytes each time")
	files, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	require.NoError(t, err)
	modes := map[string]os.FileMode{}
	for _, f := range files.File {
		modes[f.Name] = f.Mode()
		assert.NotContains(t, f.Name, "/.")
		assert.NotContains(t, f.Name, "/testdata/")
	}
	assert.Equal(t, os.FileMode(0o755), modes["setup.sh"])
	assert.Equal(t, os.FileMode(0o755), modes["run_autograder"])
	for _, name := range []string{"settings", "controllerbook/go.mod", "controllerbook/checker/main.go", "controllerbook/labs/01-goroutines/gather.go", "controllerbook/solutions/01-goroutines/gather.go"} {
		assert.Contains(t, modes, name)
	}
	require.ErrorIs(t, Write(io.Discard, Options{}), ErrNoLabs)
}

// TestItGrades unpacks the zip as Gradescope does and runs its scripts on a submission
// that is right, one that is not begun and one that is not there.
func TestItGrades(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the checker")
	}
	root := t.TempDir()
	packed := pack(t, "none") // what sandbox a test machine has is another test's business
	source := filepath.Join(root, "source")
	unzip(t, packed, source)
	script(t, root, "setup.sh")

	assert.Equal(t, 100.0, score(t, root, "../../../solutions/01-goroutines/gather.go"))
	assert.Equal(t, 0.0, score(t, root, "../stubs/01-goroutines/gather.go"))
	assert.Equal(t, 0.0, score(t, root, ""))
}

func unzip(t *testing.T, packed []byte, dir string) {
	files, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	require.NoError(t, err)
	for _, f := range files.File {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, text, f.Mode()))
	}
}

// script runs one of Gradescope's scripts below another root than /autograder.
func script(t *testing.T, root, name string) {
	cmd := exec.Command("bash", filepath.Join(root, "source", name))
	cmd.Env = append(os.Environ(), "AUTOGRADER="+root)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// score grades a submission of one file, or of none.
func score(t *testing.T, root, file string) float64 {
	submission := filepath.Join(root, "submission")
	require.NoError(t, os.RemoveAll(submission))
	require.NoError(t, os.RemoveAll(filepath.Join(root, "results")))
	require.NoError(t, os.MkdirAll(submission, 0o755))
	if file != "" {
		text, err := os.ReadFile(filepath.FromSlash(file))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(submission, filepath.Base(file)), text, 0o644))
	}
	script(t, root, "run_autograder")
	text, err := os.ReadFile(filepath.Join(root, "results", "results.json"))
	require.NoError(t, err)
	var results struct {
		Score float64
		Tests []struct{ Output string }
	}
	require.NoError(t, json.Unmarshal(text, &results))
	require.NotEmpty(t, results.Tests)
	assert.NotContains(t, strings.ToLower(string(text)), "hidden_")
	return results.Score
}
