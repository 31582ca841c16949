package page

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// excerpt is some lines of a reader's file, those that matter marked.
type excerpt struct {
	Title string // "labs/01-goroutines/gather.go, lines 12 to 21"
	Lines []codeLine
}

// codeLine is a line of code.
type codeLine struct {
	Number string
	Text   string
	Here   bool
}

const (
	around      = 5 // lines before and after one that matters
	maxExcerpts = 4
	maxCode     = 200 // bytes of a line
)

// spot is a line that an explanation names.
type spot struct {
	file string
	line int
}

// excerpts are the lines that an explanation names, with some lines around each. Those that
// are close together share one.
func (code Sources) excerpts(e explain.Explanation) []excerpt {
	var spots []spot
	for _, p := range e.Places {
		spots = append(spots, spot{p.At.File, p.At.Line})
	}
	spots = append(spots, spot{e.Next.At.File, e.Next.At.Line})
	spots = slices.DeleteFunc(spots, func(s spot) bool {
		return s.line == 0 || s.line > bytes.Count(code[s.file], []byte("\n")) // no place, or not one of theirs
	})
	spots = spots[:min(len(spots), maxExcerpts)]
	slices.SortFunc(spots, func(a, b spot) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line)) })
	var all []excerpt
	for len(spots) > 0 {
		n := 1
		for n < len(spots) && spots[n].file == spots[0].file && spots[n].line-spots[n-1].line <= 2*around+1 {
			n++
		}
		all = append(all, code.excerpt(spots[:n]))
		spots = spots[n:]
	}
	return all
}

// excerpt shows some lines of one file, which are close together and in order.
func (code Sources) excerpt(spots []spot) excerpt {
	lines := strings.Split(strings.TrimSuffix(string(code[spots[0].file]), "\n"), "\n")
	first, last := max(1, spots[0].line-around), spots[len(spots)-1].line+around
	if spots[0].line <= len(lines) && strings.HasPrefix(lines[spots[0].line-1], "func ") {
		first, last = spots[0].line, last+2*around // a whole function is meant, not its first line
	}
	last = min(last, len(lines))
	x := excerpt{Title: fmt.Sprintf("%s, lines %d to %d", spots[0].file, first, last)}
	for n := first; n <= last; n++ {
		here := slices.ContainsFunc(spots, func(s spot) bool { return s.line == n })
		x.Lines = append(x.Lines, codeLine{fmt.Sprintf("%4d", n), printable.Text(lines[n-1], maxCode), here})
	}
	return x
}
