// Package report writes results for machines: result.json, and whatever is derived
// from it. docs/result-schema.md describes the format.
package report

import (
	"encoding/json"
	"io"
	"runtime"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// Schema is the name and version of the format. A reader that does not know the
// version must refuse the file.
const Schema = "controllerbook/result/v1"

// Report is one result.json.
type Report struct {
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

// New begins a report.
func New(subject string, seed uint64) *Report {
	return &Report{
		Schema: Schema, Subject: subject, Seed: seed, Labs: []Lab{},
		Toolchain: Toolchain{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH},
	}
}

// Add adds the results of a lab. Points are summed here and nowhere else.
func (r *Report) Add(lab catalog.Lab, results []outcome.Result, refusal Refusal) {
	l := Lab{Lab: lab.Dir, Title: lab.Title, Cases: results, Refusal: refusal}
	for _, c := range results {
		l.Points += c.Points
		l.Max += c.Max
	}
	r.Labs = append(r.Labs, l)
	r.Points += l.Points
	r.Max += l.Max
}

// WriteJSON writes the report, indented, with a newline at its end.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
