package result

import (
	"path"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// Limits on what a result keeps of a refusal: a submission decides how many errors
// it has.
const (
	maxCompiler   = 16 << 10 // bytes
	maxViolations = 32
)

// Refusal is why no case of a lab was run although there was code: what the compiler
// said, or what the gate objected to. Every case then has the verdict that says so. It
// is zero where cases were run.
type Refusal struct {
	Compiler   string           `json:"compiler,omitempty"`
	Violations []gate.Violation `json:"violations,omitempty"` // their files are relative to the repository
}

// NewRefusal keeps what a judgement says of a lab that was refused, within bounds. dir
// is the directory of the source that has the violations.
func NewRefusal(compiler, dir string, violations []gate.Violation) Refusal {
	r := Refusal{Compiler: strings.ToValidUTF8(printable.Shorten(compiler, maxCompiler, ""), "\uFFFD")}
	for _, v := range violations[:min(len(violations), maxViolations)] {
		v.File = path.Join(dir, v.File)
		r.Violations = append(r.Violations, v)
	}
	return r
}
