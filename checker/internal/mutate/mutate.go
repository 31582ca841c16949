// Package mutate makes mutants: sources with one small change each that a suite should
// notice. What it changes is above all what makes concurrent code right: locks, channels,
// defer, who waits for whom.
//
// The package is pure. It reads sources and returns changes to their text, each of which
// compiles. Whether a suite notices them is for others to find out.
package mutate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Mutant is one change to one file.
type Mutant struct {
	File     string // base name
	Line     int    // where the change begins
	Func     string // "Queue.Add"; or the constant or variable that it stands in
	Operator string

	// Change is the lines that go, each with "- " before it, and those that come, with "+ ",
	// without comments, indentation and alignment.
	Change []string

	// ID names the change by what it says and not by where it stands: it is the same
	// wherever the function moves, and another once the text changes.
	ID string

	edits []edit
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	new        string
}

// insert is an edit that takes nothing away.
func insert(at int, text string) edit { return edit{at, at, text} }

// blank makes an import one that needs no use.
const blank = "_ "

// Apply returns the mutated file.
func (m Mutant) Apply(source []byte) []byte { return splice(source, m.edits) }

// splice applies edits, which are in order and do not overlap.
func splice(source []byte, edits []edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, source[at:e.start]...)
		out = append(out, e.new...)
		at = e.end
	}
	return append(out, source[at:]...)
}

// describe fills in all of a mutant that follows from its edits, but for the ID.
func (m *Mutant) describe(source []byte) {
	for _, c := range m.changes(source) {
		if m.Line == 0 || strings.HasPrefix(m.edits[0].new, blank) {
			m.Line = c.from + 1
		}
		for _, l := range splitLines(source)[c.from:c.to] {
			m.say("- ", l)
		}
		for _, l := range c.new {
			m.say("+ ", l)
		}
	}
}

// say adds a line to the change, if anything is on it.
func (m *Mutant) say(mark, line string) {
	if text := bare(line); text != "" {
		m.Change = append(m.Change, mark+text)
	}
}

// Says reports whether lines are the mutant's change, however they are indented and commented.
func (m Mutant) Says(lines []string) bool {
	other := Mutant{}
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l == "" {
			return false
		}
		other.say(l[:1]+" ", l[1:])
	}
	return slices.Equal(m.Change, other.Change)
}

// identify gives each mutant its ID. Changes that say the same of the same function are
// counted.
func identify(all []Mutant) {
	seen := map[string]int{}
	for i := range all {
		m := &all[i]
		key := strings.Join(append([]string{m.Func, m.Operator}, m.Change...), "\n")
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d", key, seen[key]))
		m.ID = hex.EncodeToString(sum[:4])
	}
}

// inOrder sorts edits by place.
func inOrder(edits []edit) []edit {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	return edits
}

// offset is where pos stands in its file.
func (p *pkg) offset(pos token.Pos) int { return p.fset.Position(pos).Offset }
