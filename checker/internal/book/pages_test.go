package book

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

// A page is a lesson or document.
type page struct{ name, text string }

func pages(t *testing.T) []page {
	var all []page
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/*/*.md", "labs/*/README.md"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, names, pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			rel, err := filepath.Rel(root, name)
			require.NoError(t, err)
			all = append(all, page{filepath.ToSlash(rel), string(text)})
		}
	}
	return all
}

// A listing is a fenced block with its language. needs says what this repository lacks to
// run it: it stands in a comment above, <!-- needs: a cluster -->.
type listing struct{ lang, text, needs string }

var (
	fenced = regexp.MustCompile("(?ms)(?:<!-- needs: ([^\n]*?) -->\n+)?^[ \t]*```([a-z]*)\n(.*?)^[ \t]*```[ \t]*$")
	inline = regexp.MustCompile("`([^`\n]+)`")
)

func (p page) listings() []listing {
	var all []listing
	for _, m := range fenced.FindAllStringSubmatch(p.text, -1) {
		all = append(all, listing{lang: m[2], text: m[3], needs: m[1]})
	}
	return all
}

// commands are the command lines of a page: those of shell listings, indented blocks and
// code spans. needed are those of listings that need something.
func (p page) commands() (all, needed []string) {
	for _, l := range p.listings() {
		var lines []string
		l.text = strings.ReplaceAll(l.text, "\\\n", " ")
		switch l.lang {
		case "sh", "bash":
			lines = strings.Split(l.text, "\n")
		case "console":
			for _, line := range strings.Split(l.text, "\n") {
				if cmd, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
					lines = append(lines, cmd)
				}
			}
		}
		if l.needs != "" {
			needed = append(needed, lines...)
		} else {
			all = append(all, lines...)
		}
	}
	rest := fenced.ReplaceAllString(p.text, "")
	for _, line := range strings.Split(rest, "\n") {
		if strings.HasPrefix(line, "    ") && ours.MatchString(strings.TrimSpace(line)) {
			all = append(all, line)
		}
	}
	for _, m := range inline.FindAllStringSubmatch(rest, -1) {
		if ours.MatchString(m[1]) {
			all = append(all, m[1])
		}
	}
	return all, needed
}

// ours matches the commands that this repository can answer for.
var ours = regexp.MustCompile(`^(make|checker|bin/checker|go run|go test|go vet|cd|curl) `)
