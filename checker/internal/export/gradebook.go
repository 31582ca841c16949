package export

import (
	"encoding/csv"
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// notGraded stands in the gradebook where the grader broke: it is no number, so that
// nobody takes it for one.
const notGraded = "not graded"

// Gradebook is the gradebook of a class: a row for each student, a column for each lab.
// The zero Gradebook is empty. It keeps every row until Write, because the columns are
// known only after the last Add.
type Gradebook struct {
	labs map[string]bool
	rows []gradebookRow
}

type gradebookRow struct {
	roster.Student
	cells map[string]string // lab → text of its cell
	audience.Total
}

// WriteGradebook writes the gradebook of all records.
func WriteGradebook(w io.Writer, records iter.Seq2[audience.Record, error]) error {
	var b Gradebook
	for r, err := range records {
		if err != nil {
			return err
		}
		b.Add(r)
	}
	return b.Write(w)
}

// Add adds the row of a student.
func (b *Gradebook) Add(r audience.Record) {
	if b.labs == nil {
		b.labs = map[string]bool{}
	}
	row := gradebookRow{Student: r.Student, cells: map[string]string{}, Total: r.Total()}
	for _, g := range r.Grades {
		b.labs[g.Lab] = true
		row.cells[g.Lab] = gradebookCell(g)
	}
	b.rows = append(b.rows, row)
}

// gradebookCell is the text of a grade's cell. A lab that was not submitted is not a zero:
// a teacher may yet get it.
func gradebookCell(g audience.Grade) string {
	switch g.Status {
	case result.Missing:
		return ""
	case result.Failed:
		return notGraded
	}
	return strconv.Itoa(g.Points)
}

// Write writes the rows as CSV, in the order in which they were added. The cell of a lab
// that was not submitted is empty, and that of one on which the grader failed says "not
// graded"; neither is a number.
func (b *Gradebook) Write(w io.Writer) error {
	out := csv.NewWriter(w)
	labs := slices.Sorted(maps.Keys(b.labs))
	_ = out.Write(slices.Concat([]string{"student", "name", "group"}, labs, []string{"total", "max", "undecided"})) // kept for Error
	for _, row := range b.rows {
		cells := []string{cellText(row.ID), cellText(row.Name), cellText(row.Group)}
		for _, lab := range labs {
			cells = append(cells, row.cells[lab])
		}
		total := ""
		if row.Submitted {
			total = strconv.Itoa(row.Points)
		}
		_ = out.Write(append(cells, total, strconv.Itoa(row.Max), strconv.Itoa(row.Undecided)))
	}
	out.Flush()
	return out.Error()
}

// formula matches where a spreadsheet would begin to calculate: at the head of a cell, or
// after a character that it may take for the border between two cells.
var formula = regexp.MustCompile(`(^|[;|,\t])(\s*)([=+\-@\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}])`)

// cellText makes a text of unknown origin safe for a spreadsheet. All of them take an
// apostrophe to mean that text follows.
func cellText(s string) string {
	s = printable.Line(strings.TrimSpace(s), 200)
	return formula.ReplaceAllString(s, "$1$2'$3")
}
