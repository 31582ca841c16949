package stress

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// Report is what came of many orders.
type Report struct {
	Schema   string        `json:"schema"`
	At       time.Time     `json:"at"`
	Go       string        `json:"go"`
	Machine  string        `json:"machine"` // "linux/amd64"
	CPUs     int           `json:"cpus"`
	Took     time.Duration `json:"took_ns"`
	Complete bool          `json:"complete"` // it was not interrupted
	Settings []Setting     `json:"settings"`
	Subjects []Subject     `json:"subjects"`
}

// Schema names the format of a Report.
const Schema = "controllerbook.stress/v1"

// Subject is what came of one program.
type Subject struct {
	Lab   string  `json:"lab"`
	Name  string  `json:"subject"` // "learner", "solution" or an alternative's
	Cases []Count `json:"cases"`
}

// NewReport begins a report.
func NewReport(settings []Setting) *Report {
	return &Report{
		Schema: Schema, At: time.Now().UTC().Truncate(time.Second), Go: runtime.Version(),
		Machine: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), Settings: settings,
	}
}

// Write writes the report to a file, as JSON.
func (r *Report) Write(file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return atomicfile.WriteBytes(file, append(text, '\n'))
}

// Runs is how many runs there were, and how many of them failed.
func (r *Report) Runs() (runs, failures int) {
	for row := range r.Rows() {
		runs, failures = runs+row.Runs, failures+row.Failures
	}
	return runs, failures
}

// Row is a case of a subject.
type Row struct {
	Lab, Subject string
	Count
}

// Rows are the cases of all subjects.
func (r *Report) Rows() func(yield func(Row) bool) {
	return func(yield func(Row) bool) {
		for _, s := range r.Subjects {
			for _, c := range s.Cases {
				if !yield(Row{s.Lab, s.Name, c}) {
					return
				}
			}
		}
	}
}

// Failed are the cases that failed at least once, and of each the first failure.
func (r *Report) Failed() (rows []Row, first []outcome.Result) {
	for row := range r.Rows() {
		if row.Failures > 0 {
			rows, first = append(rows, row), append(first, row.Kept[0].Result)
		}
	}
	return rows, first
}

// Dearest are the n cases whose runs cost the most processor time, on average.
func (r *Report) Dearest(n int) []Row {
	rows := slices.Collect(r.Rows())
	slices.SortStableFunc(rows, func(a, b Row) int { return int(b.Cost() - a.Cost()) })
	return rows[:min(n, len(rows))]
}
