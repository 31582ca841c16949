package report

import (
	"path"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/gate"
)

// Limits on what a result keeps of a refusal: a submission decides how many errors
// it has.
const (
	maxCompiler   = 16 << 10 // bytes
	maxViolations = 32
)

// Refusal is why no case of a lab was run, though there was something to run: what
// the compiler said, or what the gate objected to. Every case then has the verdict
// that says so. It is zero where cases were run.
type Refusal struct {
	Compiler   string      `json:"compiler,omitempty"`
	Violations []Violation `json:"violations,omitempty"`
}

// Violation is a gate.Violation as it stands in a result.
type Violation struct {
	File    string    `json:"file"` // relative to the repository
	Line    int       `json:"line"`
	Col     int       `json:"col,omitempty"`
	Kind    gate.Kind `json:"kind"`
	Message string    `json:"message"`
	Help    string    `json:"help,omitempty"`
}

// NewRefusal keeps what a Judgement says of a lab that was refused, within bounds. dir
// is the directory of the source that has the violations.
func NewRefusal(compiler, dir string, violations []gate.Violation) Refusal {
	r := Refusal{Compiler: strings.ToValidUTF8(compiler[:min(len(compiler), maxCompiler)], "\uFFFD")}
	for _, v := range violations[:min(len(violations), maxViolations)] {
		v.File = path.Join(dir, v.File)
		r.Violations = append(r.Violations, Violation(v))
	}
	return r
}

// forGate is the violations as explain takes them.
func (r Refusal) forGate() []gate.Violation {
	violations := make([]gate.Violation, len(r.Violations))
	for i, v := range r.Violations {
		violations[i] = gate.Violation(v)
	}
	return violations
}
