// Package seeded reads the seeded faults of a lab, each a mistake that its suite must
// notice, and puts them into the lab's solution.
//
// A fault is a file of Go below checker/faults. Its header says what the mistake is and
// how the suite answers. Its declarations take the place of those of the same name in
// the solution.
package seeded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Dir is where the faults are: those of lab 01 in 01-goroutines below it.
const Dir = "checker/faults"

// Fault is a seeded mistake: the solution with it must end the named case with the
// named verdict. It must compile: a build failure is not a kill.
type Fault struct {
	Name     string // kebab-case: that of its file
	Mistake  string // what the author of such code believed; cites the upstream bug where there was one
	KilledBy string // name of the case
	Verdict  verdict.Verdict
	Remark   string // why this verdict, where one would expect another

	order   []string // the files of the lab
	without []string // declarations of the solution that go
	own     source
}

// All returns the faults of a lab of the workbook at root, by name. There may be none.
func All(root string, lab catalog.Lab) ([]Fault, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(Dir), lab.Dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the faults of lab %s: %w", lab.Dir, err)
	}
	var all []Fault
	for _, e := range entries {
		name := path.Join(Dir, lab.Dir, e.Name())
		if path.Ext(name) != ".go" {
			return nil, fmt.Errorf("%s is no fault: its name does not end in .go", name)
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("read a fault: %w", err)
		}
		f, err := parse(lab, name, text)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// parse reads the file of a fault.
func parse(lab catalog.Lab, name string, text []byte) (Fault, error) {
	f := Fault{Name: strings.TrimSuffix(path.Base(name), ".go"), order: lab.Files}
	var err error
	if f.own, err = parseSource(name, text); err != nil {
		return f, err
	}
	if got := f.own.syntax.Name.Name; got != lab.Package {
		return f, fmt.Errorf("%s: package %s, and that of the lab is %s", name, got, lab.Package)
	}
	if err := f.header(string(text)); err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	if _, err := lab.Case(f.KilledBy); err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	return f, f.own.unused()
}

// opening keeps the go command from compiling a fault.
const opening = "//go:build ignore\n\n"

// keys are the entries of a header, in order. The last one may be missing.
var keys = []string{"Mistake", "Killed by", "Verdict", "Without"}

// header reads what a fault says of itself, one entry behind the other. A long entry goes
// on in lines that are indented by three spaces.
func (f *Fault) header(text string) error {
	text, ok := strings.CutPrefix(text, opening)
	if !ok {
		return errors.New("the file does not begin with //go:build ignore and an empty line")
	}
	block, _, _ := strings.Cut(text, "\n\n")
	var entries []string
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		if more, ok := strings.CutPrefix(line, "//   "); ok && len(entries) > 0 {
			entries[len(entries)-1] += " " + more
			continue
		}
		if len(entries) == len(keys) {
			return fmt.Errorf("%q is one line too many in the header", line)
		}
		key := keys[len(entries)]
		value, ok := strings.CutPrefix(line, "// "+key+": ")
		if !ok || value == "" {
			return fmt.Errorf("the header has %q where it needs \"// %s: …\"", line, key)
		}
		entries = append(entries, value)
	}
	return f.fill(entries)
}

// ending is a verdict by its own name, and a remark in brackets.
var ending = regexp.MustCompile(`^([a-z-]+)(?: \((.+)\))?$`)

// fill takes the entries of a header for the fields.
func (f *Fault) fill(entries []string) error {
	if len(entries) < len(keys)-1 {
		return fmt.Errorf("the header has no \"// %s: …\"", keys[len(entries)])
	}
	f.Mistake, f.KilledBy = entries[0], entries[1]
	m := ending.FindStringSubmatch(entries[2])
	if m == nil || !verdict.Verdict(m[1]).Valid() {
		return fmt.Errorf("%q is no verdict with or without a remark in brackets", entries[2])
	}
	f.Verdict, f.Remark = verdict.Verdict(m[1]), m[2]
	if len(entries) == len(keys) {
		f.without = strings.Split(entries[3], ", ")
	}
	return nil
}
