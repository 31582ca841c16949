package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

// BenchmarkEditToVerdict measures what a learner waits for after a save: a warm
// build and run of one lab, by the checker and by bare `go test -race -count=1` of
// the same suite against the same subject, in turn, each after an edit of its own.
// The metrics are medians; ratio is the checker's over bare go test's.
func BenchmarkEditToVerdict(b *testing.B) {
	lab := catalog.Labs()[0]
	root := clone(b)
	solve(b, root, lab)
	bridge(b, root, lab)
	checker := filepath.Join(b.TempDir(), "checker")
	command(b, root, "go", "build", "-buildvcs=false", "-o", checker, "./checker")
	edits := 0
	timed := func(name string, args ...string) time.Duration {
		edits++
		edit(b, filepath.Join(root, lab.LabPath(), lab.Files[0]), edits)
		began := time.Now()
		command(b, root, name, args...)
		return time.Since(began)
	}
	bare := func() time.Duration { return timed("go", "test", "-race", "-count=1", "./"+lab.Bridge) }
	ours := func() time.Duration { return timed(checker, "run", lab.Dir) }
	bare() // warm-up: both build the standard library their own way
	ours()
	var bares, oursAll []time.Duration
	for b.Loop() {
		bares = append(bares, bare())
		oursAll = append(oursAll, ours())
	}
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
	b.ReportMetric(float64(median(bares).Milliseconds()), "bare-ms")
	b.ReportMetric(float64(median(oursAll).Milliseconds()), "checker-ms")
	b.ReportMetric(float64(median(oursAll))/float64(median(bares)), "ratio")
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}

// clone copies what git tracks to a directory of the benchmark's own.
func clone(b *testing.B) string {
	wd, err := os.Getwd()
	require.NoError(b, err)
	from := filepath.Join(wd, "..", "..", "..")
	to := filepath.Join(b.TempDir(), "book")
	for _, dir := range []string{"labs", "solutions", "checker"} {
		require.NoError(b, os.CopyFS(filepath.Join(to, dir), os.DirFS(filepath.Join(from, dir))))
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		require.NoError(b, err)
		require.NoError(b, os.WriteFile(filepath.Join(to, name), text, 0o644))
	}
	return to
}

// solve puts the reference where the learner's code is.
func solve(b *testing.B, root string, lab catalog.Lab) {
	for _, f := range lab.Files {
		text, err := os.ReadFile(filepath.Join(root, lab.SolutionPath(), f))
		require.NoError(b, err)
		require.NoError(b, os.WriteFile(filepath.Join(root, lab.LabPath(), f), text, 0o644))
	}
}

// bridge makes bare go test judge the learner's code, as the overlay does for the checker.
func bridge(b *testing.B, root string, lab catalog.Lab) {
	name := filepath.Join(root, lab.Bridge, "bridge_test.go")
	text, err := os.ReadFile(name)
	require.NoError(b, err)
	text = bytes.ReplaceAll(text, []byte(lab.SolutionPath()), []byte(lab.LabPath()))
	require.NoError(b, os.WriteFile(name, text, 0o644))
	// The checker looks for the import it replaces: leave it one, in a comment.
	text = append(text, []byte("\n// \""+catalog.Module+"/"+lab.SolutionPath()+"\"\n")...)
	require.NoError(b, os.WriteFile(name, text, 0o644))
}

func edit(b *testing.B, name string, n int) {
	text, err := os.ReadFile(name)
	require.NoError(b, err)
	head, _, _ := strings.Cut(string(text), "\n// edit ")
	require.NoError(b, os.WriteFile(name, fmt.Appendf([]byte(head), "\n// edit %d\nvar edits = %d\n", n, n), 0o644))
}

func command(b *testing.B, dir, name string, args ...string) {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, "%s", out)
}
