// Command prose writes what the suites say to a learner, rules, reasons and hints, as
// one Markdown file for each lab, so that `make prose` reads those sentences as it
// reads the lessons.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: prose DIR")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write the suites' sentences: %w", err)
	}
	for _, lab := range suites.All() {
		name := filepath.Join(dir, lab.Dir+".md")
		if err := os.WriteFile(name, []byte(page(lab)), 0o644); err != nil {
			return fmt.Errorf("write the suites' sentences: %w", err)
		}
	}
	return nil
}

// page has a heading for each case, so that a reader of an alert finds the
// sentence in the suite.
func page(lab catalog.Lab) string {
	var b strings.Builder
	section := func(name string, sentences ...string) {
		fmt.Fprintf(&b, "## `%s`\n\n", name)
		for _, s := range sentences {
			b.WriteString(printable.Wrap(s, maxColumns) + "\n")
		}
	}
	for _, c := range lab.Cases {
		section(c.Name, append([]string{c.Rule, c.Why}, c.Hint...)...)
	}
	return b.String()
}

// maxColumns is within what the rule on the length of lines allows.
const maxColumns = 100
