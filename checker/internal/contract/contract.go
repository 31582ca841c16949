// Package contract holds suites to the contract: the sentences that a case stands on must be
// in the documentation that the learner reads, which is the stub and labs/kit.
package contract

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

// fewest is how many words a quotation has at least: fewer stand somewhere by chance.
const fewest = 3

// Problems says which cases of a lab of the workbook at root stand on no sentence, or on one
// that neither the stub of the lab, nor those of its parts, nor labs/kit has. A sentence may be
// quoted in part. How it is broken into lines does not matter.
func Problems(root string, lab catalog.Lab) ([]string, error) {
	texts, err := documentation(root, lab)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, c := range lab.Cases {
		if len(c.Contract) == 0 {
			problems = append(problems, fmt.Sprintf("case %s stands on no sentence of the contract", c.Name))
		}
		for _, quotation := range c.Contract {
			words := plain(quotation)
			switch {
			case strings.Count(words, " ") < fewest-1:
				problems = append(problems, fmt.Sprintf("case %s quotes less than %d words of the contract: %q", c.Name, fewest, quotation))
			case !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, words) }):
				problems = append(problems, fmt.Sprintf("case %s quotes what neither the stub nor labs/kit says: %q", c.Name, quotation))
			}
		}
	}
	return problems, nil
}

// documentation is every comment that is a part of the lab's contract, each on one line.
func documentation(root string, lab catalog.Lab) ([]string, error) {
	var texts []string
	for _, dir := range append([]string{lab.Dir}, lab.Parts...) {
		part, err := catalog.Find(dir)
		if err != nil {
			return nil, err
		}
		for _, name := range part.Files {
			stub, err := part.Stub(name)
			if err != nil {
				return nil, err
			}
			if texts, err = withComments(texts, name, stub); err != nil {
				return nil, err
			}
		}
	}
	kit, err := filepath.Glob(filepath.Join(root, "labs", "kit", "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range kit {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the contract of lab %s: %w", lab.Dir, err)
		}
		if texts, err = withComments(texts, name, source); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// withComments adds the comments of a Go file to texts.
func withComments(texts []string, name string, source []byte) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	for _, group := range f.Comments {
		texts = append(texts, plain(text(group)))
	}
	return texts, nil
}

// text is a comment without its marks. Unlike ast.CommentGroup.Text it keeps directives:
// nothing of what the learner reads is left out.
func text(group *ast.CommentGroup) string {
	var b strings.Builder
	for _, c := range group.List {
		b.WriteString(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(c.Text, "//"), "/*"), "*/"))
		b.WriteByte('\n')
	}
	return b.String()
}

// plain is a text with one space between two words.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }
