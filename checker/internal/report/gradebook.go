package report

import (
	"encoding/csv"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// notGraded stands in the gradebook where the grader broke: it is no number, so that
// nobody takes it for one.
const notGraded = "not graded"

// gradebook collects one row a student. The columns are known when the last has come.
type gradebook struct {
	labs map[string]bool
	rows []gradebookRow
}

type gradebookRow struct {
	Student
	cells map[string]string // lab → what stands in its column
	tally
}

// WriteGradebook writes the gradebook of a class as CSV: a row for each student, a
// column for each lab. Nothing handed in is an empty cell, what the grader failed on
// is "not graded"; both are no numbers.
func WriteGradebook(w io.Writer, grades Grades) error {
	b := newGradebook()
	for r, err := range records(grades) {
		if err != nil {
			return err
		}
		b.add(&r)
	}
	return b.write(w)
}

func newGradebook() *gradebook { return &gradebook{labs: map[string]bool{}} }

func (b *gradebook) add(r *record) {
	row := gradebookRow{Student: r.Student, cells: map[string]string{}, tally: r.tally()}
	for i := range r.grades {
		g := &r.grades[i]
		b.labs[g.Lab] = true
		row.cells[g.Lab] = g.cell()
	}
	b.rows = append(b.rows, row)
}

// cell is a grade as a gradebook shows it. Nothing handed in is not zero: a teacher
// may yet get it.
func (g *Grade) cell() string {
	switch g.Status {
	case Missing:
		return ""
	case Failed:
		return notGraded
	}
	return strconv.Itoa(g.Points)
}

// write writes the rows in the order they came in.
func (b *gradebook) write(w io.Writer) error {
	out := csv.NewWriter(w)
	labs := slices.Sorted(maps.Keys(b.labs))
	_ = out.Write(slices.Concat([]string{"student", "name", "group"}, labs, []string{"total", "max", "undecided"})) // kept for Error
	for _, row := range b.rows {
		cells := []string{cellText(row.ID), cellText(row.Name), cellText(row.Group)}
		for _, lab := range labs {
			cells = append(cells, row.cells[lab])
		}
		total := ""
		if row.Handed {
			total = strconv.Itoa(row.Points)
		}
		_ = out.Write(append(cells, total, strconv.Itoa(row.Max), strconv.Itoa(row.Undecided)))
	}
	out.Flush()
	return out.Error()
}

// formula finds where a spreadsheet would begin to calculate: at the head of a cell,
// or after what it may take for a border between cells.
var formula = regexp.MustCompile(`(^|[;|,\t])(\s*)([=+\-@\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}])`)

// cellText makes a text of unknown origin safe for a spreadsheet: an apostrophe is what
// they all take as "this is text".
func cellText(s string) string {
	s = printable.Line(strings.TrimSpace(s), 200)
	return formula.ReplaceAllString(s, "$1$2'$3")
}
