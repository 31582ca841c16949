package result

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// GradeSchema is the name and version of the format of a Grade.
const GradeSchema = "controllerbook/grade/v1"

// Status says what became of a student's submission for one lab.
type Status string

// The statuses of a Grade.
const (
	Graded   Status = "graded"   // the cases say the rest
	Missing  Status = "missing"  // nothing was submitted for this lab
	Rejected Status = "rejected" // what was submitted cannot be read: see Problem
	Failed   Status = "failed"   // the grader broke; it means nothing about the submission
)

// Statuses lists all of them.
var Statuses = []Status{Graded, Missing, Rejected, Failed}

// Grade is one student's result for one lab: one file of a class's results. Everything
// that is derived from a class, gradebook and pages alike, is derived from its grades.
type Grade struct {
	Schema    string         `json:"schema"`
	Key       string         `json:"key"` // hash of all that decides the result: submission, suite, toolchain, options
	Student   roster.Student `json:"student"`
	Lab       string         `json:"lab"`
	Title     string         `json:"title"`
	Status    Status         `json:"status"`
	Problem   string         `json:"problem,omitempty"` // Rejected and Failed: why, in a sentence
	Points    int            `json:"points"`            // after Late
	Max       int            `json:"max"`               // from the catalog
	Late      *Late          `json:"late,omitempty"`    // nil where it was in time, or no deadline was set
	Isolation string         `json:"isolation,omitempty"`
	Seed      uint64         `json:"seed"`
	Toolchain Toolchain      `json:"toolchain"`

	Cases []outcome.Result `json:"cases"` // one for each case of the lab where it was Graded, else none
	Refusal

	TookNS int64 `json:"took_ns,omitempty"`
}

// Late is what lateness cost.
type Late struct {
	Submitted time.Time `json:"submitted"`
	Deadline  time.Time `json:"deadline"`
	Earned    int       `json:"earned"`  // points before the penalty
	Percent   int       `json:"percent"` // of Earned, that were taken off
}

// Grades is the grades of a class, one after the other. A pair with an error ends it.
// It is a sequence because the grades of a large class with all their histories do not
// fit into memory, and need not.
type Grades = iter.Seq2[Grade, error]

// WriteJSON writes the grade, indented, with a newline at its end.
func (g *Grade) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(g)
}

// ReadGrade reads what WriteJSON wrote. A version that it does not know is an error.
func ReadGrade(r io.Reader) (Grade, error) {
	var g Grade
	if err := json.NewDecoder(r).Decode(&g); err != nil {
		return Grade{}, fmt.Errorf("read a grade: %w", err)
	}
	if g.Schema != GradeSchema {
		return Grade{}, fmt.Errorf("read a grade: its schema is %q, not %q", g.Schema, GradeSchema)
	}
	return g, nil
}
