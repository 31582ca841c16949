// Package progress keeps what a learner has done in a small text file.
//
// The file is one line a fact, keyed by lab and case name, so that a new version
// of a lab, or an editor, or git merge cannot break it:
//
//	controllerbook progress 1
//	case 01-goroutines/keeps-order pass
//	hint 01-goroutines/keeps-order 2
//	last 01-goroutines
//
// A reader sees the old file or the whole new one. A line that makes no sense is dropped,
// and the file as it was is kept beside the new one.
package progress

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	header  = "controllerbook progress "
	version = 1
	maxSize = 1 << 20
)

// ErrFuture is returned by Load for a file that a newer checker wrote. The file is
// left as it is.
var ErrFuture = errors.New("the progress file was written by a newer checker")

// Key names a case.
type Key struct{ Lab, Case string }

func (k Key) String() string { return k.Lab + "/" + k.Case }

// State is what is known of a learner's progress.
type State struct {
	path     string
	verdicts map[Key]verdict.Verdict
	hints    map[Key]int
	last     string

	// Damage says what was wrong with the file, "" if nothing was.
	Damage string
}

// Path is where the progress of a repository is kept.
func Path(root string) string { return filepath.Join(root, ".controllerbook", "progress") }

// Load reads the file at path; there need not be one. Lines that make no sense
// are passed over and Damage says so. The error is ErrFuture or the system's.
func Load(path string) (*State, error) {
	s := &State{path: path, verdicts: map[Key]verdict.Verdict{}, hints: map[Key]int{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("read the progress file: %w", err)
	}
	if len(text) > maxSize {
		s.Damage = "is far too large"
		return s, nil
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	number, ok := strings.CutPrefix(strings.TrimSpace(first), header)
	n, err := strconv.Atoi(number)
	switch {
	case !ok || err != nil || n < 1:
		s.Damage = "does not begin with its version"
		rest = string(text)
	case n > version:
		return s, fmt.Errorf("%w (version %d, this one knows %d)", ErrFuture, n, version)
	}
	if bad := s.parse(rest); bad > 0 && s.Damage == "" {
		s.Damage = fmt.Sprintf("has lines that make no sense (%d)", bad)
	}
	return s, nil
}

// parse reads the facts and counts the lines that are none.
func (s *State) parse(text string) (bad int) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if !s.fact(f) {
			bad++
		}
	}
	return bad
}

func (s *State) fact(f []string) bool {
	if len(f) == 2 && f[0] == "last" {
		s.last = f[1]
		return true
	}
	if len(f) != 3 {
		return false
	}
	lab, name, ok := strings.Cut(f[1], "/")
	k := Key{lab, name}
	switch {
	case !ok:
		return false
	case f[0] == "case" && verdict.Verdict(f[2]).Valid():
		s.verdicts[k] = verdict.Verdict(f[2])
		return true
	case f[0] == "hint":
		n, err := strconv.Atoi(f[2])
		if err == nil && n > 0 {
			s.hints[k] = n
			return true
		}
	}
	return false
}

// Verdict is how the case ended last, "" if it never ran.
func (s *State) Verdict(lab, name string) verdict.Verdict { return s.verdicts[Key{lab, name}] }

// Hints is how many hints of the case were shown.
func (s *State) Hints(lab, name string) int { return s.hints[Key{lab, name}] }

// Last is the lab that was worked on last, "" if none is known: an older checker did not
// note it.
func (s *State) Last() string { return s.last }

// Record notes results, and that their lab was worked on if something was written for it.
// The checker's own failures say nothing of the learner and are not noted.
func (s *State) Record(results []outcome.Result) {
	for _, r := range results {
		if r.Verdict.Standing() == verdict.Unknown {
			continue
		}
		s.verdicts[Key{r.Lab, r.Case}] = r.Verdict
		if r.Verdict.Group() != verdict.NotBegun {
			s.last = r.Lab
		}
	}
}

// Hinted notes that n hints of the case were shown.
func (s *State) Hinted(lab, name string, n int) { s.hints[Key{lab, name}] = n }

// Forget removes what is known of a lab, as after a reset.
func (s *State) Forget(lab string) {
	of := func(k Key) bool { return k.Lab == lab }
	maps.DeleteFunc(s.verdicts, func(k Key, _ verdict.Verdict) bool { return of(k) })
	maps.DeleteFunc(s.hints, func(k Key, _ int) bool { return of(k) })
}

// Save replaces the file as a whole. A damaged file is kept beside it under the name ending
// in ".damaged".
func (s *State) Save() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return fmt.Errorf("save progress: %w", err)
	}
	if s.Damage != "" {
		if err := os.Rename(s.path, s.path+".damaged"); err != nil {
			return fmt.Errorf("keep the damaged progress file: %w", err)
		}
	}
	if err := atomicfile.WriteBytes(s.path, []byte(s.text())); err != nil {
		return fmt.Errorf("save progress: %w", err)
	}
	return nil
}

func (s *State) text() string {
	var lines []string
	for k, v := range s.verdicts {
		lines = append(lines, fmt.Sprintf("case %s %s", k, v))
	}
	for k, n := range s.hints {
		lines = append(lines, fmt.Sprintf("hint %s %d", k, n))
	}
	slices.Sort(lines)
	if s.last != "" {
		lines = append(lines, "last "+s.last)
	}
	return fmt.Sprintf("%s%d\n%s\n", header, version, strings.Join(lines, "\n"))
}
