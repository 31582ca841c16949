package bench

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// The size of the class, and of that part of it that the naive loop grades: its time
// for each is the same from the first to the last, and it is slow.
const (
	students = 60
	sample   = 10
)

// BenchmarkClass grades, for each lab, a class of different right answers with as many
// workers as there are processors: `checker grade` with everything on, the sandbox,
// canaries, results that are synced to the disk, and the pages. Beside it is the naive
// loop, a clean copy and `go test -race` for each, one after the other, and once more with
// as many of them at once as there are processors. Its cache is warm and shared, its copies
// are always at the same place so that only what differs is compiled, and it confines
// nothing. The metrics are milliseconds of wall clock for each submission, and the ratios
// of these to the checker's; and the same of processor time, the checker's over the
// loop's, which hangs less on what else the machine does. Beside that is the floor, also over
// the loop's: the processor time that compilers and linker take for the answers, many at once
// as in a class, and bare processes for their cases, which nothing confines and nobody reads.
func BenchmarkClass(b *testing.B) {
	root := clone(b)
	checker := filepath.Join(b.TempDir(), "checker")
	command(b, root, "go", "build", "-buildvcs=false", "-o", checker, "./checker")
	for _, lab := range catalog.Labs() {
		b.Run(lab.Dir, func(b *testing.B) { class(b, root, checker, lab) })
	}
}

func class(b *testing.B, root, checker string, lab catalog.Lab) {
	var answers []subject.Subject
	for i := range students {
		answers = append(answers, answer(b, root, lab, i))
	}
	handed := hand(b, answers)
	for b.Loop() {
		ours := graded(b, root, checker, handed, lab)
		loop, parallel := looped(b, root, answers, 1), looped(b, root, answers, runtime.GOMAXPROCS(0))
		b.ReportMetric(ours.wall, "checker-ms/each")
		b.ReportMetric(loop.wall, "naive-ms/each")
		b.ReportMetric(parallel.wall, "naive-parallel-ms/each")
		b.ReportMetric(loop.wall/ours.wall, "ratio")
		b.ReportMetric(parallel.wall/ours.wall, "ratio-parallel")
		b.ReportMetric(ours.cpu/loop.cpu, "ratio-cpu")
		b.ReportMetric(least(b, root, answers[:sample]).cpu/loop.cpu, "floor-cpu")
	}
	b.ReportMetric(0, "ns/op") // the sum of all says nothing
}

// cost is milliseconds for each submission.
type cost struct{ wall, cpu float64 }

// measure runs f, whose commands are spent of processor time.
func measure(n int, f func() (spent time.Duration)) cost {
	began := time.Now()
	spent := f()
	each := func(d time.Duration) float64 { return float64(d.Milliseconds()) / float64(n) }
	return cost{wall: each(time.Since(began)), cpu: each(spent)}
}

// spend runs a command and returns the processor time that it and its children took.
func spend(b *testing.B, dir, name string, args ...string) time.Duration {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Errorf("%s: %v\n%s", name, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// answer is a right answer to a lab that no other student has.
func answer(b *testing.B, root string, lab catalog.Lab, i int) subject.Subject {
	reference, err := subject.Solution(root, lab)
	require.NoError(b, err)
	files := maps.Clone(reference.Files)
	files[lab.Files[0]] = fmt.Appendf(nil, "%s\n// student%d is who wrote this.\nfunc student%[2]d() int { return %[2]d }\n", files[lab.Files[0]], i)
	s, err := subject.Given(root, lab, files)
	require.NoError(b, err)
	for _, dir := range lab.Parts {
		part, err := catalog.Find(dir)
		require.NoError(b, err)
		s.Parts = append(s.Parts, answer(b, root, part, i))
	}
	return s
}

// write puts an answer, and the answers to the labs that it is made of, into a directory of labs.
func write(labs string, s subject.Subject) error {
	for _, own := range s.Packages() {
		dir := filepath.Join(labs, own.Lab.Dir)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		for name, text := range own.Files {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// hand makes the class's submissions.
func hand(b *testing.B, answers []subject.Subject) string {
	handed := b.TempDir()
	for i, s := range answers {
		require.NoError(b, write(filepath.Join(handed, fmt.Sprintf("student-%03d", i), "labs"), s))
	}
	return handed
}

// graded is what the class costs the checker. All must pass, for what is not run costs nothing.
func graded(b *testing.B, root, checker, class string, lab catalog.Lab) cost {
	out := b.TempDir()
	spent := measure(students, func() time.Duration {
		return spend(b, root, checker, "grade", class, "--out", out, "--lab", lab.Dir)
	})
	book, err := os.ReadFile(filepath.Join(out, "gradebook.csv"))
	require.NoError(b, err)
	full := fmt.Sprintf(",,%d,%[1]d,%[1]d,0\n", lab.Max())
	require.Equal(b, students, strings.Count(string(book), full), "students with all points in\n%s", book)
	return spent
}

// looped is the naive loop over the first of the class, after one round with the last that warms the cache.
func looped(b *testing.B, root string, answers []subject.Subject, workers int) cost {
	var places []string
	for range workers {
		place := filepath.Join(b.TempDir(), "work")
		naive(b, root, place, answers[len(answers)-1])
		places = append(places, place)
	}
	return measure(sample, func() time.Duration {
		jobs := make(chan subject.Subject)
		var wg sync.WaitGroup
		var spent atomic.Int64
		for _, place := range places {
			wg.Go(func() {
				for s := range jobs {
					spent.Add(int64(naive(b, root, place, s)))
				}
			})
		}
		for _, s := range answers[:sample] {
			jobs <- s
		}
		close(jobs)
		wg.Wait()
		return time.Duration(spent.Load())
	})
}

// least builds a part of the class by the calls that are needed for it and no others, and runs
// the cases once for each answer in a process that holds the suite and the reference.
func least(b *testing.B, root string, answers []subject.Subject) cost {
	bridge := answers[0].Lab.Bridge
	kit := &gotest.Kit{Root: root, Temp: b.TempDir(), Planned: true}
	warm, err := kit.Build(b.Context(), answers[0])
	require.NoError(b, err)
	warm.Remove()
	suite := filepath.Join(b.TempDir(), "suite")
	command(b, root, "go", "test", "-race", "-c", "-o", suite, "./"+bridge)
	return measure(len(answers), func() time.Duration {
		before := children(b)
		release, err := kit.BuildAhead(b.Context(), answers)
		require.NoError(b, err)
		release()
		for range answers {
			command(b, filepath.Join(root, bridge), "env", "GORACE=atexit_sleep_ms=0", suite)
		}
		return children(b) - before
	})
}

// children is the processor time of all processes that this one started and waited for.
func children(b *testing.B) time.Duration {
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func naive(b *testing.B, root, place string, s subject.Subject) time.Duration {
	if err := errors.Join(os.RemoveAll(place), os.CopyFS(place, os.DirFS(root)),
		write(filepath.Join(place, "solutions"), s)); err != nil {
		b.Error(err)
	}
	return spend(b, place, "go", "test", "-race", "-count=1", "./"+s.Lab.Bridge)
}
