package book

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
)

// named is a listing that begins with the path of its file.
var named = regexp.MustCompile("(?s)```go\n// ((?:checker|solutions)/[^\n]+\\.go)\n\n(.*?)```")

const (
	stubFile     = "checker/internal/stubs/90-latch/latch.go"
	solutionFile = "solutions/90-latch/latch.go"
	suiteFile    = "checker/internal/suites/latchtest/suite.go"
	bridgeFile   = "checker/internal/bridges/latch/bridge.go"
	testFile     = "checker/internal/bridges/latch/bridge_test.go"
	faultFile    = "checker/faults/90-latch/select-alone.go"
)

// TestTheSmallLab proves of the lab that docs/authoring.md shows what is proved of every lab:
// the solution passes, the stub fails each case, and the fault is killed by its case.
func TestTheSmallLab(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "authoring.md"))
	require.NoError(t, err)
	files := map[string]string{}
	for _, m := range named.FindAllStringSubmatch(string(text), -1) {
		files[m[1]] = m[2]
	}
	cases := []string{"open-lets-all-pass", "wait-honours-context"}
	require.ElementsMatch(t, []string{stubFile, solutionFile, suiteFile, bridgeFile, testFile, faultFile}, slices.Collect(maps.Keys(files)))

	out, passed := runLab(t, files, "")
	require.True(t, passed, "the solution: %s", out)

	withStub := maps.Clone(files)
	withStub[solutionFile] = files[stubFile]
	for _, c := range cases {
		out, passed := runLab(t, withStub, c)
		assert.False(t, passed, "the stub passes %s", c)
		assert.Contains(t, out, "is not implemented", c)
	}

	fault, solution := seed(t, files, cases)
	withFault := maps.Clone(files)
	withFault[solutionFile] = solution
	out, passed = runLab(t, withFault, fault.KilledBy)
	assert.False(t, passed, "the fault survives")
	assert.Contains(t, out, "the latch goes first")
}

// seed is the fault of the page, and the solution with it.
func seed(t *testing.T, files map[string]string, cases []string) (seeded.Fault, string) {
	lab := catalog.New(conform.Lab{Dir: "90-latch", Files: []string{"latch.go"}})
	for _, c := range cases {
		lab.Cases = append(lab.Cases, conform.Meta{Name: c})
	}
	dir := t.TempDir()
	name := filepath.Join(dir, filepath.FromSlash(faultFile))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(files[faultFile]), 0o644))
	all, err := seeded.All(dir, lab)
	require.NoError(t, err)
	require.Len(t, all, 1)
	solution, err := all[0].Seed(map[string][]byte{"latch.go": []byte(files[solutionFile])})
	require.NoError(t, err)
	return all[0], string(solution["latch.go"])
}

// runLab builds the lab's bridge, with the files where they would be in the repository, and
// runs one case or all.
func runLab(t *testing.T, files map[string]string, name string) (out string, passed bool) {
	dir, err := filepath.Abs(root)
	require.NoError(t, err)
	temp := t.TempDir()
	replace := map[string]string{}
	for file, text := range files {
		if file == stubFile || file == faultFile {
			continue
		}
		copied := filepath.Join(temp, strings.ReplaceAll(file, "/", "_"))
		require.NoError(t, os.WriteFile(copied, []byte(text), 0o644))
		replace[filepath.Join(dir, filepath.FromSlash(file))] = copied
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(temp, "overlay.json"), overlay, 0o644))
	binary := filepath.Join(temp, "latch.test")
	build := exec.Command("go", "test", "-c", "-race", "-vet=off", "-overlay", filepath.Join(temp, "overlay.json"), "-o", binary, "./"+path.Dir(bridgeFile))
	build.Dir = dir
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	said, err = exec.Command(binary, "-test.run", "TestCases/"+name).CombinedOutput()
	return string(said), err == nil
}
