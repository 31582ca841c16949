package report

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/report/page"
)

// Grades is the grades of a class, one after the other: those of a student stand
// together. A pair with an error ends it. It exists because the grades of a large
// class with all their histories do not fit into memory, and need not.
type Grades = iter.Seq2[Grade, error]

// All is the grades of a class in their order.
func (c *Class) All() Grades {
	return func(yield func(Grade, error) bool) {
		c.Sort()
		for _, g := range c.Grades {
			if !yield(g, nil) {
				return
			}
		}
	}
}

// WriteClass writes all that is derived from a class below dir, as WriteGrades does.
func WriteClass(dir string, class *Class) error { return WriteGrades(dir, class.All()) }

// WriteGrades writes all that is derived from a class below dir: gradebook.csv,
// junit.xml, html/ for the teacher and feedback/ to hand out. It holds one student's
// grades at a time. The same grades in the same order give the same bytes, and each
// file appears whole or not at all.
func WriteGrades(dir string, grades Grades) error {
	if err := writeGrades(dir, grades); err != nil {
		return fmt.Errorf("write the results of a class: %w", err)
	}
	return nil
}

// The directories of pages below a class's own.
const (
	teacherPages = "html"     // the class and each student, with everything
	studentPages = "feedback" // each student, without what hidden cases put to them
)

func writeGrades(dir string, grades Grades) error {
	for _, d := range []string{teacherPages, studentPages} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return err
		}
	}
	book, numbers, written := newGradebook(), newStats(), map[string]bool{"index.html": true}
	err := WriteFile(filepath.Join(dir, "junit.xml"), func(w io.Writer) error {
		j, err := newJUnit(w, ForTeacher)
		if err != nil {
			return err
		}
		for r, err := range records(grades) {
			if err != nil {
				return err
			}
			book.add(&r)
			numbers.add(&r)
			written[fileName(r.ID)+".html"] = true
			if err := errors.Join(j.add(r.grades), r.writePages(dir)); err != nil {
				return err
			}
		}
		return j.end()
	})
	if err != nil {
		return err
	}
	return errors.Join(
		WriteFile(filepath.Join(dir, "gradebook.csv"), book.write),
		WriteFile(filepath.Join(dir, teacherPages, "index.html"), func(w io.Writer) error { return page.WriteClass(w, numbers.view()) }),
		sweep(filepath.Join(dir, teacherPages), written),
		sweep(filepath.Join(dir, studentPages), written),
	)
}

// writePages writes a student's two pages.
func (r *record) writePages(dir string) error {
	name := fileName(r.ID) + ".html"
	err := WriteFile(filepath.Join(dir, teacherPages, name), func(w io.Writer) error { return page.WriteStudent(w, r.view(ForTeacher, "index.html")) })
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, studentPages, name), func(w io.Writer) error { return page.WriteStudent(w, r.view(ForStudent, "")) })
}

// sweep removes the pages of students who are no longer in the class: a page left from
// an earlier run looks as true as any other.
func sweep(dir string, written map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".html" && !written[e.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// WritePage writes the page of one student.
func WritePage(w io.Writer, grades []Grade, to Audience) error {
	r := record{Student: grades[0].Student, grades: grades}
	return page.WriteStudent(w, r.view(to, ""))
}

// maxGrade bounds how much of one result file is read.
const maxGrade = 64 << 20

// ReadResults reads the grades below dir/results, one directory a student and one
// file a lab, in the order of their names. Files that are not whole results by their
// name (a dot in front, no .json behind) are passed over.
func ReadResults(dir string) Grades {
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
		g, err := readFile(filepath.Join(dir, f.Name()))
		if !yield(g, err) || err != nil {
			return false
		}
	}
	return true
}

func readFile(path string) (Grade, error) {
	f, err := os.Open(path)
	if err != nil {
		return Grade{}, fmt.Errorf("read results: %w", err)
	}
	defer f.Close()
	g, err := ReadGrade(io.LimitReader(f, maxGrade))
	if err != nil {
		return Grade{}, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
