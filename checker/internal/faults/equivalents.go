package faults

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/mutate"
)

// Equivalent is a mutant that is as right as what it was made of, and why.
type Equivalent struct {
	Of       string // Reference, or the name of an alternative
	ID       string
	Func     string
	Operator string
	Change   []string // the lines of its diff that go and come
	Reason   string

	line int
}

// EquivalentsPath is the file of a lab's equivalents.
func EquivalentsPath(lab catalog.Lab) string { return "checker/mutants/" + lab.Dir + ".txt" }

// Equivalents reads a lab's list of equivalents. There may be none.
//
//	# a comment
//	== solution
//
//	322bbc3d Gather boundary
//		- if limit <= 0 || limit > len(tasks) {
//		+ if limit < 0 || limit > len(tasks) {
//		Why this is right, in as many lines as it takes.
func Equivalents(root string, lab catalog.Lab) ([]Equivalent, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(EquivalentsPath(lab))))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the equivalents of %s: %w", lab.Dir, err)
	}
	list, err := parseEquivalents(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", EquivalentsPath(lab), err)
	}
	return list, nil
}

func parseEquivalents(text string) ([]Equivalent, error) {
	var list []Equivalent
	of, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		word := strings.TrimSpace(line)
		name, section := strings.CutPrefix(line, "== ")
		switch {
		case word == "" || strings.HasPrefix(line, "#"):
		case section:
			of = name
		case line == word: // not indented: the head of an entry
			f := strings.Fields(line)
			if len(f) != 3 || of == "" {
				return nil, fmt.Errorf("%d: %q is not a section, nor an ID, a function and an operator in one", number, line)
			}
			list = append(list, Equivalent{Of: of, ID: f[0], Func: f[1], Operator: f[2], line: number})
		case len(list) == 0:
			return nil, fmt.Errorf("%d: %q belongs to no entry", number, word)
		default:
			list[len(list)-1].add(word)
		}
	}
	return list, nil
}

// add adds a line to an entry: one of its diff, or one of the reason.
func (e *Equivalent) add(line string) {
	if e.Reason == "" && (strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+")) {
		e.Change = append(e.Change, line)
		return
	}
	e.Reason = strings.TrimSpace(e.Reason + " " + line)
}

// Outdated says what is wrong with a lab's list: entries without a reason, entries that
// stand twice, and those that are of no mutant. Entries of a source that is not
// among all are not looked up.
func Outdated(lab catalog.Lab, list []Equivalent, all []*Mutated) []string {
	var problems []string
	seen := map[string]bool{}
	for _, e := range list {
		var problem string
		switch key := e.Of + " " + e.ID; {
		case seen[key]:
			problem = "stands twice"
		case e.Reason == "":
			problem = "has no reason"
		default:
			seen[key] = true
			problem = e.outdated(all)
		}
		if problem != "" {
			problems = append(problems, fmt.Sprintf("%s:%d: %s %s", EquivalentsPath(lab), e.line, e.ID, problem))
		}
	}
	return problems
}

func (e Equivalent) outdated(all []*Mutated) string {
	at := slices.IndexFunc(all, func(m *Mutated) bool { return m.Name == e.Of })
	if at < 0 {
		return ""
	}
	found := slices.IndexFunc(all[at].All, func(m mutate.Mutant) bool { return m.ID == e.ID })
	if found < 0 {
		return "is no mutant of the " + e.Of + ": what it changed reads otherwise now"
	}
	if m := all[at].All[found]; m.Func != e.Func || m.Operator != e.Operator || !m.Says(e.Change) {
		return fmt.Sprintf("says something else than the mutant: %s %s\n%s", m.Func, m.Operator, strings.Join(m.Change, "\n"))
	}
	return ""
}

// Listed reports whether a list has a mutant of a source.
func Listed(list []Equivalent, of *Mutated, m mutate.Mutant) bool {
	return slices.ContainsFunc(list, func(e Equivalent) bool { return e.Of == of.Name && e.ID == m.ID })
}
