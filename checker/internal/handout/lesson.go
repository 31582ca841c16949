package handout

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/lesson"
)

const (
	tableBegin = "<!-- cases:begin -->\n"
	tableEnd   = "<!-- cases:end -->\n"
)

var errNoTable = errors.New("README.md lacks the marks of its table of cases")

// studentLesson is a lesson for students: its table lists the public cases, and its text
// does not call the hidden ones by their names.
func studentLesson(text []byte, lab catalog.Lab) ([]byte, error) {
	head, rest, ok := strings.Cut(string(toLabs(text)), tableBegin)
	_, tail, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		return nil, errNoTable
	}
	return []byte(unnamed(head) + tableBegin + table(lab) + tableEnd + unnamed(tail)), nil
}

// table is the table of a lab's public cases, with a word on the others.
func table(lab catalog.Lab) string {
	public := slices.DeleteFunc(slices.Clone(lab.Cases), func(c conform.Meta) bool { return !c.Public })
	text := lesson.Table(public)
	if w := withheldOf(lab); w.Cases > 0 {
		text += fmt.Sprintf("\n%d hidden cases, worth %d points, are graded in class. They ask for nothing that the contract does not say.\n", w.Cases, w.Points)
	}
	return text + lesson.Imports(lab)
}

var (
	quoted   = regexp.MustCompile("`[a-z0-9-]+`")
	inList   = regexp.MustCompile("`[a-z0-9-]+`(,| and)?\\s*")
	sentence = regexp.MustCompile(`(?s)(\n\n|\n\d+\. +|[.!?]\**\s+)`)
	trailing = regexp.MustCompile(`([.!?*]) \n`)
	bareItem = regexp.MustCompile(`(?m)^\d+\.\s*\n`)
	indented = regexp.MustCompile(`(?m)^ +\n`) // the indentation of a line that is left out
)

// unnamed leaves out the sentences in which a lesson calls hidden cases, of whichever
// lab, by their names. Where a public case is named as well, only the hidden names go.
func unnamed(text string) string {
	hidden := hiddenNames()
	kept := ""
	for _, s := range sentences(text) {
		left := withoutNames(s, hidden)
		if left != s && strings.HasSuffix(kept, "\n") {
			left = strings.TrimPrefix(left, "\n") // the sentence had a line to itself
		}
		kept += left
	}
	kept = indented.ReplaceAllString(trailing.ReplaceAllString(kept, "$1\n"), "")
	return bareItem.ReplaceAllString(kept, "")
}

// sentences cuts a text behind its full stops, its paragraphs and the numbers of its
// lists. Put together again they are the text.
func sentences(text string) []string {
	var all []string
	for {
		end := sentence.FindStringIndex(text)
		if end == nil {
			return append(all, text)
		}
		all = append(all, text[:end[1]])
		text = text[end[1]:]
	}
}

func withoutNames(s string, hidden map[string]bool) string {
	secret, public := false, false
	for _, q := range quoted.FindAllString(s, -1) {
		is, known := hidden[strings.Trim(q, "`")]
		secret, public = secret || is, public || known && !is
	}
	switch {
	case !secret:
		return s
	case !public:
		end := s[len(strings.TrimRight(s, " \n")):]
		return strings.TrimLeft(end, " ") // the end of a line or of a paragraph stays
	}
	s = inList.ReplaceAllStringFunc(s, func(item string) string {
		if name, _, _ := strings.Cut(strings.TrimPrefix(item, "`"), "`"); hidden[name] {
			return ""
		}
		return item
	})
	return danglingComma.ReplaceAllString(s, ".")
}

var danglingComma = regexp.MustCompile(`(,| and)\s*\.`)

// hiddenNames maps the name of every case to whether only hidden cases have it.
func hiddenNames() map[string]bool {
	names := map[string]bool{}
	for _, public := range []bool{false, true} {
		for _, lab := range catalog.Labs() {
			for _, c := range lab.Cases {
				if c.Public == public {
					names[c.Name] = !public
				}
			}
		}
	}
	return names
}
