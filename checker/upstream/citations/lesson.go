package citations

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	fence    = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")
	codeSpan = regexp.MustCompile("`([^`]+)`")
	itemHead = regexp.MustCompile(`(?m)^\s*(?:[-*]|\d+\.) `)

	// joiner is what may stand between a file and an identifier of it, or two identifiers.
	joiner = regexp.MustCompile(`^\s*(?:[,:(]|and|its|the comment (?:of|on)|the handlers|\s)*$`)
	// before is the name of a module in front of a path: "kubernetes `pkg/kubelet/kubelet.go`".
	before = regexp.MustCompile(`(?:^|[\s(])([\w/-]+)\s+$`)
	// filePath is a path or a name of a Go file; patterns and scratch files are not.
	filePath = regexp.MustCompile(`^[\w.@-][\w./@-]*\.go$`)
)

// A Page reads the citations of a lesson or of a document: every file in a code span, with
// the identifiers in the code spans that directly follow it.
type Page struct {
	Name string // from the root of the repository
	Root string // the root of the repository

	module, file string // of the citation before: a shorter path continues it
}

// Read returns what the page cites, and the Go files that it names and nobody has.
func (p *Page) Read(text string) (cited []Citation, unread []string) {
	for _, block := range blocks(fence.ReplaceAllString(text, "")) {
		c, u := p.block(block)
		cited, unread = append(cited, c...), append(unread, u...)
	}
	return cited, unread
}

// blocks parts a page into paragraphs and items of lists.
func blocks(text string) []string {
	var all []string
	for _, paragraph := range strings.Split(text, "\n\n") {
		from := 0
		for _, at := range itemHead.FindAllStringIndex(paragraph, -1) {
			all = append(all, paragraph[from:at[0]])
			from = at[0]
		}
		all = append(all, paragraph[from:])
	}
	return all
}

func (p *Page) block(text string) (cited []Citation, unread []string) {
	var open *Citation // the citation that takes the next identifier
	end := 0           // of the last code span
	for _, at := range codeSpan.FindAllStringSubmatchIndex(text, -1) {
		span := text[at[2]:at[3]]
		between := text[end:at[0]]
		chained := joiner.MatchString(between)
		end = at[1]
		if m := before.FindStringSubmatch(between); m != nil && exists(m[1], span) {
			p.module, p.file = m[1], ""
		}
		switch file, upstream, ok := p.locate(span, open != nil && chained); {
		case upstream:
			cited = append(cited, Citation{Where: p.Name, Module: p.module, File: file})
			open = &cited[len(cited)-1]
		case !ok:
			unread = append(unread, span)
			open = nil
		case open != nil && chained && identifier.MatchString(span) && !filePath.MatchString(span):
			open.Names = append(open.Names, span)
		default:
			open = nil
		}
	}
	return cited, unread
}

// locate finds the file or package that a code span names. ok is false for the name of a Go
// file that neither upstream nor this repository has. A learner's rolling.go goes before the
// one of upstream, except right behind the package that has it: chained.
func (p *Page) locate(span string, chained bool) (file string, upstream, ok bool) {
	if module, rest, found := withModule(span); found {
		p.module, p.file = module, rest
		return rest, true, true
	}
	if strings.ContainsAny(span, "* ") || !strings.Contains(span, "/") && !filePath.MatchString(span) {
		return "", false, true
	}
	if !chained && p.ours(span) {
		return "", false, true
	}
	for _, try := range p.continued(span) {
		if p.module != "" && exists(p.module, try) {
			p.file = try
			return try, true, true
		}
	}
	if m := onlyIn(span); m != "" {
		p.module, p.file = m, span
		return span, true, true
	}
	return "", false, !filePath.MatchString(span) || p.ours(span)
}

// onlyIn returns the module that alone has a file of this path.
func onlyIn(span string) (only string) {
	for _, m := range modules {
		if !strings.Contains(span, "/") || !filePath.MatchString(span) || !exists(m.name, span) {
			continue
		}
		if only != "" {
			return ""
		}
		only = m.name
	}
	return only
}

// continued are the paths that a shorter one may stand for: from the module's root, in the
// package that was named before, and beside the file that was.
func (p *Page) continued(span string) []string {
	return []string{span, path.Join(p.file, span), path.Join(path.Dir(p.file), span)}
}

// withModule parts `k8s.io/client-go/tools/cache/store.go` into module and path. The path of
// a package will do, and so will `client-go/tools/cache/store.go`.
func withModule(span string) (module, file string, ok bool) {
	for _, m := range modules {
		for _, prefix := range []string{m.path + "/", m.name + "/"} {
			if rest, found := strings.CutPrefix(span, prefix); found && len(prefix) > 1 && !strings.ContainsAny(rest, "* ") {
				return m.name, rest, true
			}
		}
	}
	if strings.Count(span, "/") > 0 && !strings.ContainsAny(span, "*. ") && exists("Go", span) {
		return "Go", span, true
	}
	return "", "", false
}

// ours says whether the repository has the file: from its root, beside the page, in a
// package of the checker, or, by its name alone, in a lab's suite or bridge.
func (p *Page) ours(span string) bool {
	for _, pattern := range []string{span, path.Join(path.Dir(p.Name), span), path.Join("checker/internal", span), path.Join("checker/internal/suites/*", span), path.Join("checker/internal/bridges/*", span)} {
		if found, _ := filepath.Glob(filepath.Join(p.Root, filepath.FromSlash(pattern))); len(found) > 0 {
			return true
		}
	}
	return false
}

func exists(name, file string) bool {
	m, ok := named(name)
	if !ok {
		return false
	}
	root, err := m.dir()
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(root, filepath.FromSlash(file)))
	return err == nil
}
