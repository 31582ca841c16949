// Package citations finds what the book says of upstream, by file and identifier, and
// looks it up at the versions that the book was written against. docs/authoring.md says how
// a citation is written.
package citations

import (
	"fmt"
	"regexp"
	"strings"
)

// A Citation names a file of a module and what is declared or written in it.
type Citation struct {
	Where  string   // of the book: a file and a line, or a lab and a case
	Module string   // by its name in modules
	File   string   // its path in the module, or that of a package's directory
	Names  []string // identifiers, with their type or without, and "quotations"
}

func (c Citation) String() string {
	return fmt.Sprintf("%s: %s %s: %s", c.Where, c.Module, c.File, strings.Join(c.Names, ", "))
}

// documents are what a Source may name beside files of upstream: by how they begin.
var documents = []string{
	"A Tour of Go", "Go blog", "Go documentation", "The Go Memory Model", "The Go Programming Language Specification", "go vet",
	"Kubernetes API concepts", "Kubernetes API conventions", "Kubernetes community", "KEP-", "Programming Kubernetes, ch. ",
	"etcd documentation", "Prometheus documentation", "RFC ",
	"ACK documentation", "Cluster API documentation", "Crossplane documentation",
	"Herlihy and Wing, Linearizability", "Schwarzkopf et al., Omega", "Notes on structured concurrency",
	"the contract of", "own", "lab ", "a naive model", "model-based testing",
}

var (
	upstreamItem = regexp.MustCompile(`^([\w/-]+) ([\w./-]+\.go): (.+?)( \([^()]*(?:\([^()]*\)[^()]*)*\))?$`)
	quotation    = regexp.MustCompile(`"[^"]*"`)
	identifier   = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$`)
	threadItem   = regexp.MustCompile(`^[a-z][\w.-]*#\d+`)
)

// Source reads the Source of a case: items that a semicolon parts, each a citation, an
// issue or pull request, or a document. unread are the items that are none of these.
func Source(where, text string) (cited []Citation, unread []string) {
	for _, item := range items(text) {
		switch m := upstreamItem.FindStringSubmatch(item); {
		case m != nil && known(m[1]):
			names, ok := nameList(m[3])
			if !ok {
				unread = append(unread, item)
				continue
			}
			cited = append(cited, Citation{Where: where, Module: m[1], File: m[2], Names: names})
		case threadItem.MatchString(item) || isDocument(item):
		default:
			unread = append(unread, item)
		}
	}
	return cited, unread
}

// items parts a Source at its semicolons, apart from those in brackets and quotations.
func items(text string) []string {
	var all []string
	depth, quoted, from := 0, false, 0
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ';' && depth == 0:
			all = append(all, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(all, strings.TrimSpace(text[from:]))
}

// nameList reads `Typed.Add, "cond.Signal"`.
func nameList(text string) ([]string, bool) {
	var names []string
	rest := quotation.ReplaceAllStringFunc(text, func(q string) string {
		names = append(names, q)
		return "_"
	})
	for _, name := range strings.Split(rest, ", ") {
		switch {
		case name == "_":
		case identifier.MatchString(name):
			names = append(names, name)
		default:
			return nil, false
		}
	}
	return names, len(names) > 0
}

func isDocument(item string) bool {
	for _, d := range documents {
		if strings.HasPrefix(item, d) && !strings.Contains(item, ".go") {
			return true
		}
	}
	return false
}
