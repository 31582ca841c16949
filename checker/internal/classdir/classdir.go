// Package classdir writes the files that are derived from a class's results beside them:
// the gradebook, JUnit XML and the pages.
package classdir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/cohort"
	"github.com/controllerbook/controllerbook/checker/internal/export"
	"github.com/controllerbook/controllerbook/checker/internal/page"
	"github.com/controllerbook/controllerbook/checker/internal/result"
)

// The directories of pages below a class's own.
const (
	teacherPages = "html"     // the class and each student, with everything
	studentPages = "feedback" // each student, without what hidden cases put to them
)

// Write writes all that is derived from a class below dir: gradebook.csv, junit.xml,
// html/ for the teacher and feedback/ for the students. It holds one student's grades at a
// time; the grades of a student must stand together. The same grades in the same order
// give the same bytes, and each file appears whole or not at all.
func Write(dir string, grades result.Grades, book audience.Book) error {
	for _, d := range []string{teacherPages, studentPages} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return fmt.Errorf("write the results of a class: %w", err)
		}
	}
	w := writer{
		dir: dir, teacher: audience.Reader{To: audience.ForTeacher, Book: book}, student: audience.Reader{To: audience.ForStudent, Book: book},
		written: map[string]bool{page.ClassFile: true},
	}
	if err := w.write(grades); err != nil {
		return fmt.Errorf("write the results of a class: %w", err)
	}
	return nil
}

// writer is the state of one Write.
type writer struct {
	dir              string
	teacher, student audience.Reader
	gradebook        export.Gradebook
	stats            cohort.Stats
	written          map[string]bool // names of pages
}

func (w *writer) write(grades result.Grades) error {
	err := atomicfile.Write(filepath.Join(w.dir, "junit.xml"), func(out io.Writer) error {
		j, err := export.NewJUnit(out)
		if err != nil {
			return err
		}
		for r, err := range result.ByStudent(grades) {
			if err != nil {
				return err
			}
			if err := w.add(j, r); err != nil {
				return err
			}
		}
		return j.End()
	})
	if err != nil {
		return err
	}
	return errors.Join(
		atomicfile.Write(filepath.Join(w.dir, "gradebook.csv"), w.gradebook.Write),
		atomicfile.Write(filepath.Join(w.dir, teacherPages, page.ClassFile), func(out io.Writer) error { return page.WriteClass(out, &w.stats) }),
		w.removeOthers(teacherPages),
		w.removeOthers(studentPages),
	)
}

// add counts a student, and writes the two pages.
func (w *writer) add(j *export.JUnit, r result.Record) error {
	shown := w.teacher.Record(r)
	w.gradebook.Add(shown)
	w.stats.Add(shown)
	for _, g := range shown.Grades {
		if err := j.Add(g); err != nil {
			return err
		}
	}
	name := page.FileName(r.ID)
	w.written[name] = true
	err := atomicfile.Write(filepath.Join(w.dir, teacherPages, name), func(out io.Writer) error {
		return page.WriteStudentOfClass(out, shown)
	})
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(w.dir, studentPages, name), func(out io.Writer) error {
		return page.WriteStudent(out, w.student.Record(r))
	})
}

// removeOthers removes the pages of students who are no longer in the class: a page left
// from an earlier run looks as true as any other.
func (w *writer) removeOthers(pages string) error {
	dir := filepath.Join(w.dir, pages)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".html" && !w.written[e.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
