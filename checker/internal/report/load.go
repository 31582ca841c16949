package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Load reads the results at path: a result.json of `checker run --json`, a grade of
// `checker grade`, or the whole directory that `checker grade --out` wrote.
func Load(path string) Grades {
	return func(yield func(Grade, error) bool) {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			ReadResults(path)(yield)
			return
		}
		grades, err := loadFile(path, err)
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

func loadFile(path string, err error) ([]Grade, error) {
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	defer f.Close()
	grades, err := Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return grades, nil
}

// Decode reads one result of either schema, as grades. A result of `checker run` is
// the grades of a student named as its subject. It must hold whole labs: the points
// of a few cases are nobody's score.
func Decode(r io.Reader) ([]Grade, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxGrade))
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResult, err)
	}
	if head.Schema != Schema {
		g, err := ReadGrade(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoResult, err)
		}
		return []Grade{g}, nil
	}
	var result Report
	if err := json.Unmarshal(text, &result); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResult, err)
	}
	var grades []Grade
	for _, l := range result.Labs {
		if want := len(book()[l.Lab].Cases); len(l.Cases) != want {
			return nil, fmt.Errorf("%w: %d of the %d cases of %s; run the whole lab", ErrPart, len(l.Cases), want, l.Lab)
		}
		grades = append(grades, result.grade(l))
	}
	return grades, nil
}

// grade is a lab of a result as a grade.
func (r *Report) grade(l Lab) Grade {
	return Grade{
		Schema: GradeSchema, Student: Student{ID: r.Subject}, Lab: l.Lab, Title: l.Title, Status: Graded,
		Points: l.Points, Max: l.Max, Seed: r.Seed, Toolchain: r.Toolchain,
		Cases: l.Cases, Refusal: l.Refusal, TookNS: int64(took(l.Cases)),
	}
}

// Only keeps the grades of one student, or all for "".
func Only(grades Grades, id string) Grades {
	return func(yield func(Grade, error) bool) {
		for g, err := range grades {
			if err == nil && id != "" && g.Student.ID != id {
				continue
			}
			if !yield(g, err) {
				return
			}
		}
	}
}

// Join is several sources of grades, one after the other.
func Join(sources ...Grades) Grades {
	return func(yield func(Grade, error) bool) {
		for _, grades := range sources {
			for g, err := range grades {
				if !yield(g, err) {
					return
				}
			}
		}
	}
}

// OneStudent collects grades that must all be one student's.
func OneStudent(grades Grades) ([]Grade, error) {
	var all []Grade
	for g, err := range grades {
		if err != nil {
			return nil, err
		}
		if len(all) > 0 && g.Student.ID != all[0].Student.ID {
			return nil, fmt.Errorf("%w: %s and %s", ErrManyStudents, all[0].Student.ID, g.Student.ID)
		}
		all = append(all, g)
	}
	if len(all) == 0 {
		return nil, ErrNoResults
	}
	return all, nil
}

// What is wrong with a file that was to be a result, and with a list of results that was
// to be one student's.
var (
	ErrNoResult     = errors.New("this is not a result of this checker")
	ErrPart         = errors.New("it holds a part of a lab")
	ErrNoResults    = errors.New("there are no results")
	ErrManyStudents = errors.New("these are results of more than one student")
)
