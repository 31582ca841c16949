// Package trust keeps what was measured of the book itself, and writes it as a page:
// each claim with its figures, the command that gives them, and when, where and of which
// commit they were taken.
package trust

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
)

// Claim is something that the book says of itself and that a command measures.
type Claim struct {
	Name    string   // what the command line calls it
	Title   string   // its heading on the page
	Text    string   // what it means, as Markdown
	PerLab  bool     // it is measured lab by lab
	Columns []string // what its figures are
}

// Claims are all of them, in the order of the page.
func Claims() []Claim { return slices.Clone(claims) }

var claims = []Claim{
	{
		Name: "faults", Title: "The hidden tests tell right from wrong", PerLab: true,
		Text: "The solution and every alternative pass every case. The untouched stub fails every case by name. Each seeded fault, a mistake\n" +
			"put into the solution, dies by the case and with the verdict that it names. A program that does nothing earns nothing.",
		Columns: []string{"cases", "faults", "alternatives", "trivial programs"},
	},
	{
		Name: "mutants", Title: "Mistakes that nobody thought of", PerLab: true,
		Text: "Solutions and alternatives, each changed by one small mistake that a program makes. A mutant that no case notices is either\n" +
			"right all the same, and stands with its reason in checker/mutants, or a hole of the suite.",
		Columns: []string{"mutants", "killed", "equivalent", "survive"},
	},
	{
		Name: "stability", Title: "A right program never fails", PerLab: true,
		Text: "The solution and every alternative through every case, with 1, 2, 4 and 8 processors, on the machine as it is and with twenty\n" +
			"busy processes beside it, each run with other inputs.",
		Columns: []string{"programs", "runs", "failed runs"},
	},
	{
		Name: "pack", Title: "What the engine finds by itself",
		Text: "Small programs with a mistake, and right ones that look as if they had one, through the engine alone: no suite knows them.\n" +
			"[checker/pack](../checker/pack) has them.",
		Columns: []string{"with a mistake", "found in one run", "found in all runs", "right", "blamed in any run"},
	},
	{
		Name: "upstream", Title: "Real client-go passes",
		Text:    "The suites, put to client-go, apimachinery and controller-runtime. [upstream.md](upstream.md) names every exception.",
		Columns: []string{"tests passed", "failed", "skipped"},
	},
}

// Find is the claim of a name.
func Find(name string) (Claim, bool) {
	i := slices.IndexFunc(claims, func(c Claim) bool { return c.Name == name })
	if i < 0 {
		return Claim{}, false
	}
	return claims[i], true
}

// Measurement is what one command found.
type Measurement struct {
	Claim   string        `json:"claim"`
	Lab     string        `json:"lab,omitempty"` // its directory, for what is measured lab by lab
	Figures []string      `json:"figures"`       // as the claim's columns
	Held    bool          `json:"held"`          // the command said that all is right
	Command string        `json:"command"`
	At      time.Time     `json:"at"`
	Commit  string        `json:"commit"` // what was measured: its first 12 digits
	Go      string        `json:"go"`
	Machine string        `json:"machine"` // "linux/amd64, 2 processors"
	Load    string        `json:"load"`    // of the minute before, as the system counts it; empty where it does not
	Took    time.Duration `json:"took_ns"`
}

// Record is everything that was measured, the newest of each claim and lab.
type Record struct {
	Schema       string        `json:"schema"`
	Measurements []Measurement `json:"measurements"`
}

const (
	// Schema names the format of a Record.
	Schema = "controllerbook.trust/v1"
	// File is where the record is kept, and Page the page that is written from it,
	// both relative to the root.
	File = "checker/trust.json"
	Page = "docs/trust.md"
)

// Read reads the record of the repository at root. Where there is none it is empty.
func Read(root string) (*Record, error) {
	text, err := os.ReadFile(filepath.Join(root, File))
	if errors.Is(err, fs.ErrNotExist) {
		return &Record{Schema: Schema}, nil
	}
	if err != nil {
		return nil, err
	}
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("%s: schema is %q, not %q", File, r.Schema, Schema)
	}
	for _, m := range r.Measurements {
		if c, known := Find(m.Claim); !known || len(m.Figures) != len(c.Columns) {
			return nil, fmt.Errorf("%s: claim %q with %d figures is none of this version's", File, m.Claim, len(m.Figures))
		}
	}
	return &r, nil
}

// Put takes m in, in the place of an older measurement of the same claim and lab.
func (r *Record) Put(m Measurement) {
	r.Measurements = slices.DeleteFunc(r.Measurements, func(old Measurement) bool {
		return old.Claim == m.Claim && old.Lab == m.Lab
	})
	r.Measurements = append(r.Measurements, m)
	slices.SortFunc(r.Measurements, order)
}

// Write writes the record and the page.
func (r *Record) Write(root string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.WriteBytes(filepath.Join(root, File), append(text, '\n')); err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(root, Page), []byte(r.Markdown()))
}

// Sentence says what m found, on one line.
func (c Claim) Sentence(m Measurement) string {
	var parts []string
	for i, column := range c.Columns {
		parts = append(parts, m.Figures[i]+" "+column)
	}
	return strings.Join(parts, ", ")
}
