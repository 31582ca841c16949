package hostile

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/grade"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// host is the machine as the class finds it, and what must not have changed.
type host struct {
	*Workshop
	dir   string // all of the test's files are below it
	calls atomic.Int32
}

func newHost(t *testing.T) *host {
	wd, err := os.Getwd()
	require.NoError(t, err)
	root := filepath.Join(wd, "..", "..", "..")
	lab := lab(t)
	source, err := os.ReadFile(filepath.Join(root, lab.SolutionPath(), "gather.go"))
	require.NoError(t, err)
	pristine, err := lab.Stub("gather.go")
	require.NoError(t, err)
	h := &host{dir: t.TempDir(), Workshop: &Workshop{Reference: string(source), Stub: string(pristine)}}
	h.Victim = filepath.Join(h.dir, "victim", "01-goroutines", "gather.go")
	require.NoError(t, os.MkdirAll(filepath.Dir(h.Victim), 0o755))
	require.NoError(t, os.WriteFile(h.Victim, source, 0o644)) // a submission that reads it would pass
	h.listen(t)
	return h
}

func lab(t *testing.T) catalog.Lab {
	l, err := catalog.Find("1")
	require.NoError(t, err)
	return l
}

func (h *host) listen(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h.Listener = l.Addr().String()
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			h.calls.Add(1)
			c.Close()
		}
	}()
}

// unharmed looks at all that an attack could have left a mark on.
func (h *host) unharmed(t *testing.T) {
	text, err := os.ReadFile(h.Victim)
	require.NoError(t, err)
	assert.Equal(t, h.Reference, string(text), "a file of the host was changed")
	assert.Zero(t, h.calls.Load(), "something reached the listener on the host")
	assert.Empty(t, survivors(h.dir), "processes outlived the class")
	for _, name := range []string{"/tmp/evil", filepath.Join(h.dir, "evil"), filepath.Join(h.dir, "solutions")} {
		assert.NoFileExists(t, name)
		assert.NoDirExists(t, name)
	}
}

// survivors are processes that were started from below dir.
func survivors(dir string) []string {
	var left []string
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range procs {
		if p == fmt.Sprintf("/proc/%d", os.Getpid()) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(p, "cmdline"))
		exe, _ := os.Readlink(filepath.Join(p, "exe"))
		if strings.Contains(string(line), dir) || strings.HasPrefix(exe, dir) {
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return left
}

// TestTheWholeClass grades everybody at once, confined as well as this machine can.
func TestTheWholeClass(t *testing.T) {
	if testing.Short() {
		t.Skip("it grades a hundred and fifty submissions")
	}
	isolation, err := sandbox.Choose(t.Context(), string(sandbox.Auto))
	if err != nil {
		t.Skipf("this machine cannot confine a submission: %v", err)
	}
	h := newHost(t)
	require.NoError(t, Write(filepath.Join(h.dir, "class"), h.Workshop))
	cache := cacheState(t)
	resetPeak()
	grades := h.grade(t, isolation, "results")
	peak := peakMiB(t)
	t.Logf("peak memory of the grader: %d MiB", peak)
	assert.Less(t, peak, 150, "MiB of the grader")
	judge(t, grades, Submissions())
	h.unharmed(t)
	cache.unchanged(t)
}

// TestWithoutASandbox grades those who are harmless where there is none: the gate and
// the accounting must hold by themselves.
func TestWithoutASandbox(t *testing.T) {
	if testing.Short() {
		t.Skip("it grades a hundred submissions")
	}
	h := newHost(t)
	var some []Submission
	dir := filepath.Join(h.dir, "class")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, s := range Submissions() {
		word, _, _ := strings.Cut(s.Want, " ")
		if s.Unsafe || word != "pass" && word != "forbidden" && word != "cheat" && s.Name != "x-nothing" {
			continue // the others show nothing that a sandbox changes
		}
		require.NoError(t, s.write(dir, h.Workshop), s.Name)
		some = append(some, s)
	}
	judge(t, h.grade(t, sandbox.Isolation{Mode: sandbox.None}, "results"), some)
	h.unharmed(t)
}

// grade grades the class below dir and returns what became of each.
func (h *host) grade(t *testing.T, isolation sandbox.Isolation, out string) map[string]result.Grade {
	wd, err := os.Getwd()
	require.NoError(t, err)
	temp := filepath.Join(h.dir, "temp")
	require.NoError(t, os.MkdirAll(temp, 0o755))
	kit := &gotest.Kit{
		Root: filepath.Join(wd, "..", "..", ".."), Temp: temp, Isolation: isolation,
		Budget: gotest.Budget{CPU: 3 * time.Second, Wall: 20 * time.Second},
	}
	labs := []catalog.Lab{lab(t)}
	search := grade.SearchWithParts(labs)
	search.Temp = temp
	class, err := submission.Open(filepath.Join(h.dir, "class"), search)
	require.NoError(t, err)
	defer class.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 25*time.Minute)
	defer cancel()
	full := filepath.Join(h.dir, out)
	summary, err := grade.Run(ctx, kit, class, grade.Options{
		Labs: labs, Out: full, Jobs: 2, Seed: 1, Isolation: string(isolation.Mode), Confined: isolation.Confined(),
		Progress: func(e grade.Event) {
			t.Logf("%-22s %-16s %3d/%d %6dms shared=%v", e.Student, e.Word, e.Points, e.Max, e.Took.Milliseconds(), e.Shared)
		},
	})
	require.NoError(t, err, "the class did not run to its end")
	assert.Zero(t, summary.Failed, "the grader itself failed")
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	for _, l := range left {
		if strings.HasPrefix(l.Name(), "build-") {
			inside, _ := filepath.Glob(filepath.Join(temp, l.Name(), "*"))
			t.Errorf("%s was left behind, with %v", l.Name(), inside)
		}
	}
	grades := map[string]result.Grade{}
	for g, err := range result.ReadDir(full) {
		require.NoError(t, err)
		grades[g.Student.ID] = g
	}
	return grades
}

// judge compares what became of each with what had to.
func judge(t *testing.T, grades map[string]result.Grade, all []Submission) {
	floor := grades["x-nothing"].Points
	t.Logf("doing nothing earns %d points", floor)
	for _, s := range all {
		g, ok := grades[s.Name]
		if !assert.True(t, ok, "%s has no grade", s.Name) {
			continue
		}
		if why := amiss(g, s.Want, floor); why != "" {
			t.Errorf("%s (%s): want %s, but %s\n%s", s.Name, s.About, s.Want, why, tell(g))
		}
	}
	assert.Len(t, grades, len(all))
}

// amiss says what is wrong with a grade:
//
//	pass                      every point
//	missing                   that
//	compile-error WORD…       it does not build, and each word stands in the reason
//	rejected KIND             refused as it was read, by that rule
//	forbidden KIND…           refused by the gate, by one of these rules, in every case
//	fails VERDICT…            fewer than all points, and some case ended in one of these ways
//	cheat                     no more points than doing nothing earns
func amiss(g result.Grade, want string, floor int) string {
	words := strings.Fields(want)
	switch words[0] {
	case "pass":
		if g.Status != result.Graded || g.Points != g.Max {
			return "it did not get every point"
		}
		return ""
	case "missing":
		return unless(g.Status == result.Missing, "it is not missing")
	case "rejected":
		return unless(g.Status == result.Rejected && strings.HasPrefix(g.Problem, words[1]+":"), "it was not rejected so")
	}
	switch {
	case g.Status != result.Graded:
		return "it was not graded"
	case g.Points > 0 && (words[0] != "fails" || g.Points == g.Max) && g.Points > floor:
		return fmt.Sprintf("it got %d points", g.Points)
	}
	switch words[0] {
	case "compile-error":
		ok := all(g, verdict.CompileError) && !slices.ContainsFunc(words[1:], func(w string) bool { return !strings.Contains(g.Compiler, w) })
		return unless(ok, "some case ended otherwise, or for another reason")
	case "forbidden":
		ok := all(g, verdict.Forbidden) && len(g.Violations) > 0 && slices.ContainsFunc(g.Violations, func(v gate.Violation) bool { return slices.Contains(words[1:], string(v.Kind)) })
		return unless(ok, "the gate did not refuse it so")
	case "fails":
		ok := slices.ContainsFunc(g.Cases, func(c outcome.Result) bool { return slices.Contains(words[1:], string(c.Verdict)) })
		return unless(ok, "no case ended so")
	case "cheat":
		return ""
	}
	return "the table is wrong"
}

func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

func all(g result.Grade, v verdict.Verdict) bool {
	return !slices.ContainsFunc(g.Cases, func(c outcome.Result) bool { return c.Verdict != v })
}

func tell(g result.Grade) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d/%d %s\n", g.Status, g.Points, g.Max, g.Problem)
	for _, v := range g.Violations {
		fmt.Fprintf(&b, "  %s %s:%d %s\n", v.Kind, v.File, v.Line, v.Message)
	}
	for _, c := range g.Cases {
		fmt.Fprintf(&b, "  %s %s %.100q\n", c.Case, c.Verdict, c.Message)
	}
	fmt.Fprintf(&b, "  %.300s", g.Compiler)
	return b.String()
}

// cache is the state of the build cache: sizes by name. New entries may come, old ones
// must stay as they are.
type cache struct {
	dir   string
	sizes map[string]int64
}

func cacheState(t *testing.T) cache {
	c := cache{dir: os.Getenv("GOCACHE"), sizes: map[string]int64{}}
	if c.dir == "" {
		base, err := os.UserCacheDir()
		require.NoError(t, err)
		c.dir = filepath.Join(base, "go-build")
	}
	for _, part := range []string{"00", "5a", "c3", "ff"} { // entries lie where their hash says: a sample is as good as all
		c.walk(part, func(name string, size int64) { c.sizes[name] = size })
	}
	return c
}

func (c cache) walk(part string, see func(name string, size int64)) {
	entries, _ := os.ReadDir(filepath.Join(c.dir, part))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			see(filepath.Join(part, e.Name()), info.Size())
		}
	}
}

func (c cache) unchanged(t *testing.T) {
	for _, part := range []string{"00", "5a", "c3", "ff"} {
		c.walk(part, func(name string, size int64) {
			if before, ok := c.sizes[name]; ok {
				assert.Equal(t, before, size, "the build cache's %s", name)
			}
		})
	}
}

// resetPeak makes the kernel forget how much memory the process had: making the class
// took more than grading it may. The heap is given back first, because the new peak
// begins at what is resident (proc(5), clear_refs).
func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

func peakMiB(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0 // no such thing on this system
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.Atoi(strings.Fields(rest)[0])
			require.NoError(t, err)
			return kib >> 10
		}
	}
	return 0
}

func TestTheTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Submissions() {
		assert.False(t, seen[s.Name], "%s is there twice", s.Name)
		seen[s.Name] = true
		assert.NotEmpty(t, s.About, s.Name)
		assert.NotEmpty(t, s.Want, s.Name)
		assert.True(t, s.files != nil || s.pack != nil || s.make != nil, s.Name)
	}
	assert.GreaterOrEqual(t, len(seen), 80)
}
