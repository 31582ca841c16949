package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// What is wrong with a file that should be a result.
var (
	ErrNoResult = errors.New("this is not a result of this checker")
	ErrPart     = errors.New("it holds a part of a lab")
)

// maxFile bounds how many bytes of one result file are read.
const maxFile = 64 << 20

// CaseCount says how many cases a lab has, by the lab's directory.
type CaseCount func(lab string) int

// Load reads the results at path: a result.json of `checker run --json`, a grade of
// `checker grade`, or the whole directory that `checker grade --out` wrote. It reads
// while the sequence is ranged over. Errors are those of Decode and of the file system.
func Load(path string, cases CaseCount) Grades {
	return func(yield func(Grade, error) bool) {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			ReadDir(path)(yield)
			return
		}
		grades, err := readFile(path, func(r io.Reader) ([]Grade, error) { return Decode(r, cases) })
		if err != nil {
			yield(Grade{}, err)
			return
		}
		for _, g := range grades {
			if !yield(g, nil) {
				return
			}
		}
	}
}

// readFile decodes one result file, as far as it is not too long.
func readFile[T any](path string, decode func(io.Reader) (T, error)) (T, error) {
	var none T
	f, err := os.Open(path)
	if err != nil {
		return none, fmt.Errorf("read results: %w", err)
	}
	defer f.Close()
	v, err := decode(io.LimitReader(f, maxFile))
	if err != nil {
		return none, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// Decode reads one result of either schema, as grades. A Run is the grades of a student
// named as its subject. It must hold whole labs, of as many cases as the CaseCount says:
// the points of a few cases are nobody's score. The error is ErrPart where it does not,
// and else ErrNoResult.
func Decode(r io.Reader, cases CaseCount) ([]Grade, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResult, err)
	}
	if head.Schema != RunSchema {
		g, err := ReadGrade(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoResult, err)
		}
		return []Grade{g}, nil
	}
	var run Run
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResult, err)
	}
	var grades []Grade
	for _, l := range run.Labs {
		if want := cases(l.Lab); len(l.Cases) != want {
			return nil, fmt.Errorf("%w: %d of the %d cases of %s; run the whole lab", ErrPart, len(l.Cases), want, l.Lab)
		}
		grades = append(grades, run.grade(l))
	}
	return grades, nil
}

// grade is a lab of a run as a grade.
func (r *Run) grade(l Lab) Grade {
	return Grade{
		Schema: GradeSchema, Student: roster.Student{ID: r.Subject}, Lab: l.Lab, Title: l.Title, Status: Graded,
		Points: l.Points, Max: l.Max, Seed: r.Seed, Toolchain: r.Toolchain,
		Cases: l.Cases, Refusal: l.Refusal, TookNS: int64(Took(l.Cases)),
	}
}

// Took is how long all cases ran, together.
func Took(cases []outcome.Result) time.Duration {
	var sum time.Duration
	for _, c := range cases {
		sum += c.Took
	}
	return sum
}

// ReadDir reads the grades below dir/results, one directory a student and one file a
// lab, in the order of their names. It passes over files whose names are not those of
// whole results: a dot in front, or no .json behind.
func ReadDir(dir string) Grades {
	return func(yield func(Grade, error) bool) {
		root := filepath.Join(dir, "results")
		students, err := os.ReadDir(root)
		if err != nil {
			yield(Grade{}, fmt.Errorf("read results: %w", err))
			return
		}
		for _, s := range students {
			if !s.IsDir() || strings.HasPrefix(s.Name(), ".") {
				continue
			}
			if !readStudent(filepath.Join(root, s.Name()), yield) {
				return
			}
		}
	}
}

// readStudent yields the grades of one directory and reports whether to go on.
func readStudent(dir string, yield func(Grade, error) bool) bool {
	files, err := os.ReadDir(dir)
	if err != nil {
		yield(Grade{}, fmt.Errorf("read results: %w", err))
		return false
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), ".") || filepath.Ext(f.Name()) != ".json" {
			continue
		}
		g, err := readFile(filepath.Join(dir, f.Name()), ReadGrade)
		if !yield(g, err) || err != nil {
			return false
		}
	}
	return true
}
