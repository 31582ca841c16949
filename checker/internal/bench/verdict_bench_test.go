package bench

import (
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
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// BenchmarkEditToVerdict measures, for each lab, what a learner waits for after a save:
// a warm build and run of the lab by the checker, and by bare `go test -race -count=1` of
// the same suite against the same subject, in turn, each after an edit of its own. Beside
// them is the floor, which nothing that compiles, links and starts a process can be below:
// these three alone, by the calls that the go command would make. The metrics are medians;
// ratio is the checker's over bare go test's. A second of bare go test's is the race
// detector's, which sleeps that long at exit unless told not to; the other two tell it.
func BenchmarkEditToVerdict(b *testing.B) {
	root := clone(b)
	checker := filepath.Join(b.TempDir(), "checker")
	command(b, root, "go", "build", "-buildvcs=false", "-o", checker, "./checker")
	for _, lab := range catalog.Labs() {
		b.Run(lab.Dir, func(b *testing.B) { editToVerdict(b, root, checker, lab) })
	}
}

func editToVerdict(b *testing.B, root, checker string, lab catalog.Lab) {
	solve(b, root, lab)
	kit := &gotest.Kit{Root: root, Temp: b.TempDir(), Planned: true}
	edits := 0
	timed := func(f func()) time.Duration {
		edits++
		edit(b, filepath.Join(root, lab.LabPath(), lab.Files[0]), edits)
		edit(b, filepath.Join(root, lab.SolutionPath(), lab.Files[0]), edits)
		began := time.Now()
		f()
		return time.Since(began)
	}
	ways := map[string]func(){
		"bare":    func() { command(b, root, "go", "test", "-race", "-count=1", "./"+lab.Bridge) },
		"checker": func() { command(b, root, checker, "run", lab.Dir, "--again") },
		"floor":   func() { floor(b, kit, lab) },
	}
	took := map[string][]time.Duration{}
	for _, way := range ways {
		timed(way) // warm-up: each builds the standard library its own way
	}
	for b.Loop() {
		for name, way := range ways {
			took[name] = append(took[name], timed(way))
		}
	}
	b.ReportMetric(0, "ns/op") // the sum of all says nothing
	for name, d := range took {
		b.ReportMetric(float64(median(d).Milliseconds()), name+"-ms")
	}
	b.ReportMetric(float64(median(took["checker"]))/float64(median(took["bare"])), "ratio")
}

// floor builds the learner's lab and starts a process that runs no case: it finds no checker
// that it could ask for one, and says so. The labs that it is made of are the references: they
// were not edited, so that nobody has to compile them again.
func floor(b *testing.B, kit *gotest.Kit, lab catalog.Lab) {
	s, err := subject.Learner(kit.Root, lab)
	require.NoError(b, err)
	built, err := kit.Build(b.Context(), s.WithReference(lab.Parts...))
	require.NoError(b, err)
	defer built.Remove()
	cmd := exec.Command(built.Path)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	require.Contains(b, string(out), "the checker runs this program")
	require.Error(b, err)
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

// edit changes the learner's code, which the checker grades, and the same code in the
// place of the reference, where bare go test finds it.
func edit(b *testing.B, name string, n int) {
	text, err := os.ReadFile(name)
	require.NoError(b, err)
	head, _, _ := strings.Cut(string(text), "\n// edit ")
	require.NoError(b, os.WriteFile(name, fmt.Appendf([]byte(head), "\n// edit %d\nfunc edits() int { return %d }\n", n, n), 0o644))
}

func command(b *testing.B, dir, name string, args ...string) {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, "%s", out)
}
