package mutate

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// around is how many lines a diff shows before and after a change.
const around = 3

// Diff is the mutant as a unified diff of the file that it calls name.
func (m Mutant) Diff(name string, source []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	lines := splitLines(source)
	shift := 0
	for all := m.changes(source); len(all) > 0; {
		n := 1
		for n < len(all) && all[n].from-all[n-1].to <= 2*around {
			n++
		}
		shift += writeHunk(&b, lines, all[:n], shift)
		all = all[n:]
	}
	return b.String()
}

// writeHunk writes changes that are near each other, and returns how many lines more there
// are after them.
func writeHunk(b *strings.Builder, lines []string, changes []change, shift int) int {
	from, to := max(changes[0].from-around, 0), min(changes[len(changes)-1].to+around, len(lines))
	more := 0
	for _, c := range changes {
		more += len(c.new) - (c.to - c.from)
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", from+1, to-from, from+1+shift, to-from+more)
	write := func(mark string, lines []string) {
		for _, l := range lines {
			b.WriteString(mark + l + "\n")
		}
	}
	at := from
	for _, c := range changes {
		write(" ", lines[at:c.from])
		write("-", lines[c.from:c.to])
		write("+", c.new)
		at = c.to
	}
	write(" ", lines[at:to])
	return more
}

// change is a run of lines, counted from 0, and what they become.
type change struct {
	from, to int
	new      []string
}

// changes are the runs of lines that the edits touch.
func (m Mutant) changes(source []byte) []change {
	var all []change
	for edits := m.edits; len(edits) > 0; {
		start := bytes.LastIndexByte(source[:edits[0].start], '\n') + 1
		n, end := 0, start
		for n == 0 || n < len(edits) && edits[n].start <= nextLine(source, end) { // on the lines of those before, or the next
			end = len(source)
			if i := bytes.IndexByte(source[edits[n].end:], '\n'); i >= 0 {
				end = edits[n].end + i
			}
			n++
		}
		var inside []edit
		for _, e := range edits[:n] {
			inside = append(inside, edit{e.start - start, e.end - start, e.new})
		}
		all = append(all, newChange(line(source, start), splitLines(source[start:end]), splitLines(splice(source[start:end], inside))))
		edits = edits[n:]
	}
	return all
}

// nextLine is the end of the line behind the one that ends at offset.
func nextLine(source []byte, offset int) int {
	if offset == len(source) {
		return offset
	}
	if i := bytes.IndexByte(source[offset+1:], '\n'); i >= 0 {
		return offset + 1 + i
	}
	return len(source)
}

// newChange leaves out lines that are the same at the ends, and those that were emptied.
func newChange(from int, old, new []string) change {
	had := map[string]bool{}
	for _, l := range old {
		had[l] = true
	}
	var kept []string
	for _, l := range new {
		if strings.TrimSpace(l) != "" || had[l] {
			kept = append(kept, l)
		}
	}
	c := change{from, from + len(old), kept}
	for len(old) > 0 && len(c.new) > 0 && old[0] == c.new[0] {
		old, c.new, c.from = old[1:], c.new[1:], c.from+1
	}
	for len(old) > 0 && len(c.new) > 0 && old[len(old)-1] == c.new[len(c.new)-1] {
		old, c.new, c.to = old[:len(old)-1], c.new[:len(c.new)-1], c.to-1
	}
	return c
}

// line is the number of the line at offset, counted from 0.
func line(source []byte, offset int) int { return bytes.Count(source[:offset], []byte("\n")) }

func splitLines(text []byte) []string {
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// bare is a line of source without comment, indentation and alignment.
func bare(line string) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(line))
	var s scanner.Scanner
	s.Init(file, []byte(line), nil, scanner.ScanComments)
	for {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return strings.Join(strings.Fields(line), " ")
		case token.COMMENT:
			return strings.Join(strings.Fields(line[:file.Offset(pos)]), " ")
		}
	}
}
