package grade

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/controllerbook/controllerbook/checker/internal/result"
)

// ConflictError says that two directories have different results of one student's
// lab: they were made of different files, suites, toolchains or options.
type ConflictError struct {
	Student, Lab  string
	First, Second string // the directories
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s and %s have different results of %s for lab %s: they were not graded from the same submissions with the same checker, toolchain and options",
		e.First, e.Second, e.Student, e.Lab)
}

// taken is where the result of a pair is taken from.
type taken struct {
	dir    string
	key    string
	failed bool
}

// Merge joins the results of shards in out, where there may be some already, and returns
// how many there are. It looks at all of them before it writes any. Of two results with the same key either will
// do, unless the grader failed in one of them.
func Merge(out string, dirs []string) (results int, err error) {
	all := map[[2]string]taken{}
	if _, err := os.Stat(filepath.Join(out, "results")); err == nil {
		dirs = append([]string{out}, dirs...)
	}
	for _, dir := range dirs {
		for g, err := range result.ReadDir(dir) {
			if err != nil {
				return 0, err
			}
			if err := take(all, dir, g); err != nil {
				return 0, err
			}
		}
	}
	if err := makeStore(out); err != nil {
		return 0, err
	}
	for pair, from := range all {
		if filepath.Clean(from.dir) == filepath.Clean(out) {
			continue
		}
		if err := copyResult(out, from.dir, pair[0], pair[1]); err != nil {
			return 0, fmt.Errorf("merge: %w", err)
		}
	}
	return len(all), nil
}

func take(all map[[2]string]taken, dir string, g result.Grade) error {
	_, whole := load(dir, g.Student.ID, g.Lab)
	if !whole || filepath.Base(g.Student.ID) != g.Student.ID || filepath.Base(g.Lab) != g.Lab {
		return fmt.Errorf("merge: %s has a result of %q for lab %q in a place that is not its own", dir, g.Student.ID, g.Lab)
	}
	pair := [2]string{g.Student.ID, g.Lab}
	now := taken{dir, g.Key, g.Status == result.Failed}
	before, ok := all[pair]
	switch {
	case !ok || before.failed && !now.failed:
		all[pair] = now
	case before.key != now.key && !now.failed:
		return &ConflictError{g.Student.ID, g.Lab, before.dir, now.dir}
	}
	return nil
}

// copyResult copies a result, and the log that goes with it.
func copyResult(out, dir, student, lab string) error {
	if err := copyFile(resultPath(out, student, lab), resultPath(dir, student, lab)); err != nil {
		return err
	}
	log := filepath.Join("logs", student, lab+".log")
	err := copyFile(filepath.Join(out, log), filepath.Join(dir, log))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

func copyFile(to, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return write(to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}
