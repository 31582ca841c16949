// Package catalog is the ordered list of labs: what their suites say of themselves, and
// what follows from their names. It has the names, points, rules and hints of all cases,
// and not the cases: those are code, which only a suite's own binary runs.
package catalog

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/stubs"
)

// Module is the import path of the workbook.
const Module = "github.com/controllerbook/controllerbook"

// Lab is one lab: what its suite says of it, and what follows from its name.
type Lab struct {
	conform.Lab
	Number  int    // 1 for "01-goroutines"
	Package string // "goroutines": the learner's package
	Suite   string // "checker/internal/suites/goroutinestest": where its cases are
	Bridge  string // "checker/internal/bridges/goroutines": the package that hands a subject to the suite

	withheld Withheld
}

// New is a lab that a suite describes.
func New(l conform.Lab) Lab {
	digits, name, _ := strings.Cut(l.Dir, "-")
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("catalog: lab directory " + l.Dir + " does not begin with its number") // a suite's own table
	}
	pkg := strings.ReplaceAll(name, "-", "")
	return Lab{
		Lab: l, Number: n, Package: pkg,
		Suite: "checker/internal/suites/" + pkg + "test", Bridge: bridges + pkg,
	}
}

const bridges = "checker/internal/bridges/"

// PinsDir is the directory with the lab's pins: that of its bridge, also where another bridge
// has been put into the place of that one.
func (l Lab) PinsDir() string { return bridges + l.Package }

// PinsFile is the base name of the lab's pins in PinsDir.
const PinsFile = "pins.go"

// Allowed are the imports that the lab's files may have, as rules of the gate: those of every
// lab, and the lab's own.
func (l Lab) Allowed() []string { return slices.Concat(common, l.Imports) }

// common is what every lab may import: packages that compute, and neither reach out of the
// process nor change how it is run. An import is no part of any exercise. The time is not
// here: where no contract speaks of it, code that waits for it polls.
var common = []string{
	"bytes", "cmp", "container/heap", "container/list", "container/ring", "context", "errors", "fmt", "hash/fnv", "hash/maphash",
	"iter", "maps", "math", "math/bits", "math/rand", "math/rand/v2", "slices", "sort", "strconv", "strings", "sync", "sync/atomic",
	"unicode", "unicode/utf8", "golang.org/x/sync/errgroup", "golang.org/x/sync/semaphore", "golang.org/x/sync/singleflight",
}

// LabPath is the lab's directory in the repository: "labs/01-goroutines".
func (l Lab) LabPath() string { return path.Join("labs", l.Dir) }

// SolutionPath is the reference's directory: "solutions/01-goroutines".
func (l Lab) SolutionPath() string { return path.Join("solutions", l.Dir) }

// BridgedPath is the directory of the package that the bridge imports: the reference,
// or the student's own code where there are no solutions.
func (l Lab) BridgedPath() string {
	if Handout {
		return l.LabPath()
	}
	return l.SolutionPath()
}

// Withheld counts the cases of a lab that a student's copy does not have.
type Withheld struct {
	Cases  int `json:"cases"`
	Points int `json:"points"`
}

// Withheld says what this copy of the workbook leaves to the grading in class: nothing,
// unless it is a handout.
func (l Lab) Withheld() Withheld { return l.withheld }

// Stub is the pristine source of one of the lab's files.
func (l Lab) Stub(file string) ([]byte, error) { return stubs.Read(l.Dir, file) }

// Max is the sum of the lab's points.
func (l Lab) Max() int {
	sum := 0
	for _, c := range l.Cases {
		sum += c.Points
	}
	return sum
}

// Case finds a case by name.
func (l Lab) Case(name string) (conform.Meta, error) {
	for _, c := range l.Cases {
		if c.Name == name {
			return c, nil
		}
	}
	return conform.Meta{}, &UnknownError{What: "case", Name: name, Near: near(name, l.caseNames()), In: l.Dir}
}

func (l Lab) caseNames() []string {
	names := make([]string, len(l.Cases))
	for i, c := range l.Cases {
		names[i] = c.Name
	}
	return names
}

// Find finds a lab by number ("1", "01"), name ("goroutines") or directory ("01-goroutines").
func Find(name string) (Lab, error) {
	want := strings.TrimSuffix(strings.TrimPrefix(name, "labs/"), "/")
	want = strings.TrimPrefix(want, "lab-")
	var names []string
	for _, l := range Labs() {
		_, word, _ := strings.Cut(l.Dir, "-")
		if n, err := strconv.Atoi(want); err == nil && n == l.Number || want == l.Dir || want == word {
			return l, nil
		}
		names = append(names, word)
	}
	return Lab{}, &UnknownError{What: "lab", Name: name, Near: near(want, names)}
}

// UnknownError says that there is no lab or case of that name, and which names are near.
type UnknownError struct {
	What, Name string
	In         string   // the lab, of a case
	Near       []string // the likeliest first
}

func (e *UnknownError) Error() string {
	s := fmt.Sprintf("there is no %s %q", e.What, e.Name)
	if e.In != "" {
		s += " in " + e.In
	}
	if len(e.Near) > 0 {
		quoted := make([]string, len(e.Near))
		for i, n := range e.Near {
			quoted[i] = strconv.Quote(n)
		}
		s += "; did you mean " + strings.Join(quoted, " or ") + "?"
	}
	return s
}

// near is the name with the smallest edit distance, if that is small at all, or else up to
// three names that have a word of name in them.
func near(name string, names []string) []string {
	const most = 3
	best, bestDistance := "", len(name)/2+1
	for _, n := range names {
		if d := distance(name, n); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	if best != "" {
		return []string{best}
	}
	var found []string
	for _, n := range names {
		if len(found) < most && sharesWord(name, n) {
			found = append(found, n)
		}
	}
	return found
}

// sharesWord reports whether b has a word of a in it that is long enough to mean something.
func sharesWord(a, b string) bool {
	return slices.ContainsFunc(strings.Split(a, "-"), func(word string) bool {
		return len(word) > 3 && strings.Contains(b, word)
	})
}

// distance is the Levenshtein distance of two short names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
