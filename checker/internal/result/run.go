// Package result is the two formats in which results are kept, that of one run and that
// of one student's lab in a class, and reads and writes them. docs/result-schema.md
// describes both.
package result

import (
	"encoding/json"
	"io"
	"runtime"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// RunSchema is the name and version of the format of a Run. A reader that does not know
// the version must refuse the file.
const RunSchema = "controllerbook/result/v1"

// Run is what one `checker run` found: one result.json.
type Run struct {
	Schema    string    `json:"schema"`
	Subject   string    `json:"subject"` // whose code: "learner", "solution", a student's name
	Toolchain Toolchain `json:"toolchain"`
	Seed      uint64    `json:"seed"` // replays the inputs of every case
	Points    int       `json:"points"`
	Max       int       `json:"max"`
	Labs      []Lab     `json:"labs"`
}

// Toolchain is what the results were made with.
type Toolchain struct {
	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
}

// Lab is the results of one lab. Max comes from the catalog, never from what ran.
type Lab struct {
	Lab    string           `json:"lab"`
	Title  string           `json:"title"`
	Points int              `json:"points"`
	Max    int              `json:"max"`
	Cases  []outcome.Result `json:"cases"`
	Refusal
}

// NewRun begins a Run, with the toolchain that built the checker.
func NewRun(subject string, seed uint64) *Run {
	return &Run{
		Schema: RunSchema, Subject: subject, Seed: seed, Labs: []Lab{},
		Toolchain: Toolchain{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH},
	}
}

// Add adds the results of a lab, and their points to the sums.
func (r *Run) Add(lab conform.Lab, cases []outcome.Result, refusal Refusal) {
	l := Lab{Lab: lab.Dir, Title: lab.Title, Cases: cases, Refusal: refusal}
	for _, c := range cases {
		l.Points += c.Points
		l.Max += c.Max
	}
	r.Labs = append(r.Labs, l)
	r.Points += l.Points
	r.Max += l.Max
}

// WriteJSON writes the run, indented, with a newline at its end.
func (r *Run) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
