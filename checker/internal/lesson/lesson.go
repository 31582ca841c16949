// Package lesson keeps in step what a lab's suite says once and other files repeat: the
// catalog's file and the README's table of cases. The stub in labs comes from package stubs.
package lesson

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
)

const (
	begin = "<!-- cases:begin -->\n"
	end   = "<!-- cases:end -->\n"
)

// Table is a table of cases as a lesson shows it.
func Table(cases []conform.Meta) string {
	var b strings.Builder
	b.WriteString("| case | points | rule |\n|---|---|---|\n")
	points := 0
	for _, c := range cases {
		points += c.Points
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", c.Name, c.Points, strings.ReplaceAll(c.Rule, "|", `\|`))
	}
	fmt.Fprintf(&b, "| | **%d** | |\n", points)
	return b.String()
}

// Imports is what a lesson says of a lab's imports, in lines of a lesson's width.
func Imports(lab catalog.Lab) string {
	const width = 100
	text, line := "\nYour files may import:\n\n```text\n", ""
	for word := range strings.FieldsSeq(gate.Listing(lab.Allowed())) {
		if len(line)+len(word) > width {
			text, line = text+strings.TrimSuffix(line, " ")+"\n", ""
		}
		line += word + " "
	}
	return text + strings.TrimSuffix(line, " ") + "\n```\n"
}

// generated is what stands in a lesson between the marks.
func generated(lab catalog.Lab) string { return Table(lab.Cases) + Imports(lab) }

func readme(root string, lab catalog.Lab) string {
	return filepath.Join(root, filepath.FromSlash(lab.LabPath()), "README.md")
}

// Fix writes the catalog's file and the lesson's table, and puts the stub where the lab
// has none. lab is what the suite says.
func Fix(root string, lab catalog.Lab) error {
	name := readme(root, lab)
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("fix the lesson of %s: %w", lab.Dir, err)
	}
	fixed, err := withTable(string(text), generated(lab))
	if err != nil {
		return fmt.Errorf("fix the lesson of %s: %w", lab.Dir, err)
	}
	if err := atomicfile.WriteBytes(name, []byte(fixed)); err != nil {
		return fmt.Errorf("fix the lesson of %s: %w", lab.Dir, err)
	}
	if err := fixData(root, lab); err != nil {
		return fmt.Errorf("fix the catalog's file of %s: %w", lab.Dir, err)
	}
	for _, f := range lab.Files {
		target := filepath.Join(filepath.Dir(name), f)
		if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
			continue // a learner's, or in step: Problems says which
		}
		stub, err := lab.Stub(f)
		if err != nil {
			return err
		}
		if err := atomicfile.WriteBytes(target, stub); err != nil {
			return fmt.Errorf("fix the stub of %s: %w", lab.Dir, err)
		}
	}
	return nil
}

func fixData(root string, lab catalog.Lab) error {
	data, err := lab.Data(catalog.Withheld{})
	if err != nil {
		return err
	}
	name := filepath.Join(root, filepath.FromSlash(lab.DataPath()))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteBytes(name, data)
}

func withTable(text, table string) (string, error) {
	head, rest, ok := strings.Cut(text, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("README.md lacks the lines %s and %s", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return head + begin + table + end + tail, nil
}

// Problems says what is wrong with a lab beside its tests: a lesson that is
// missing or thin, a table, catalog's file or stub that is out of step, cases that lack
// something. lab is what the suite says.
func Problems(root string, lab catalog.Lab) []string {
	var problems []string
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	text, err := os.ReadFile(readme(root, lab))
	if err != nil {
		say("there is no lesson: %v", err)
	} else {
		lessonProblems(string(text), lab, say)
	}
	for _, f := range lab.Files {
		stub, err := lab.Stub(f)
		if err != nil {
			say("%v", err)
			continue
		}
		own, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(lab.LabPath()), f))
		if err != nil || !bytes.Equal(own, stub) {
			say("%s/%s is not the stub", lab.LabPath(), f)
		}
	}
	want, err := lab.Data(catalog.Withheld{})
	if err != nil {
		say("%v", err)
	}
	if own, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(lab.DataPath()))); err != nil || !bytes.Equal(own, want) {
		say("%s is out of step: checker verify --fix", lab.DataPath())
	}
	caseProblems(lab, say)
	return problems
}

// minLesson is the length under which a lesson cannot be one, in bytes.
const minLesson = 3000

func lessonProblems(text string, lab catalog.Lab, say func(string, ...any)) {
	if len(text) < minLesson {
		say("the lesson has %d bytes: that is a note", len(text))
	}
	fixed, err := withTable(text, generated(lab))
	switch {
	case err != nil:
		say("%v", err)
	case fixed != text:
		say("the table of cases in README.md is out of step: checker verify --fix")
	}
	steps := section(text, "## Steps\n")
	for _, c := range lab.Cases {
		if n := strings.Count(steps, "`"+c.Name+"`"); n != 1 {
			say("the steps name case %s %d times, not once: a learner has to know which step turns it green", c.Name, n)
		}
	}
}

// section is the text behind a heading, up to the next one of the same level.
func section(text, heading string) string {
	_, rest, _ := strings.Cut(text, "\n"+heading)
	body, _, _ := strings.Cut(rest, "\n## ")
	return body
}

func caseProblems(lab catalog.Lab, say func(string, ...any)) {
	seen := map[string]bool{}
	for _, c := range lab.Cases {
		if seen[c.Name] {
			say("case %s stands twice", c.Name)
		}
		seen[c.Name] = true
		if c.Points < 1 || c.Points > 10 {
			say("case %s has %d points, not 1 to 10", c.Name, c.Points)
		}
		for field, value := range map[string]string{"Func": c.Func, "Rule": c.Rule, "Why": c.Why, "Source": c.Source, "Hint": strings.Join(c.Hint, "")} {
			if value == "" {
				say("case %s lacks its %s", c.Name, field)
			}
		}
	}
	if max := lab.Max(); max < 80 || max > 120 {
		say("the points add up to %d, not to 100 or thereabouts", max)
	}
}
