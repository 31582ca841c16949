package render

import (
	"strings"
	"unicode"
)

// wrap breaks styled text into lines of at most columns columns, between words
// where it can and inside a word where one is longer than a line. A line end in
// the text is a line end on the screen.
func (s *Screen) wrap(body []span, columns int) [][]span {
	b := breaker{columns: max(columns, 1), lines: [][]span{nil}}
	for _, sp := range body {
		for i, line := range strings.Split(s.safe(sp.text), "\n") {
			if i > 0 {
				b.newline()
			}
			b.indent(line)
			for word := range strings.FieldsSeq(line) {
				b.add(span{word, sp.style})
			}
		}
	}
	return b.lines
}

// breaker collects words into lines.
type breaker struct {
	columns int
	used    int // columns of the last line
	lines   [][]span
}

func (b *breaker) newline() {
	b.lines = append(b.lines, nil)
	b.used = 0
}

// indent keeps what a line of code or of a diff begins with.
func (b *breaker) indent(line string) {
	n := len(line) - len(strings.TrimLeft(line, " "))
	if n > 0 && n < len(line) && b.used == 0 && n <= b.columns/4 {
		b.append(span{text: strings.Repeat(" ", n)})
	}
}

func (b *breaker) add(word span) {
	if b.used > 0 && b.used+1+width(word.text) > b.columns {
		b.newline()
	} else if b.used > 0 && !b.indented() {
		b.append(span{" ", word.style})
	}
	for width(word.text) > b.columns-b.used {
		head, tail := split(word.text, b.columns-b.used)
		b.append(span{head, word.style})
		b.newline()
		word.text = tail
	}
	b.append(word)
}

// indented reports whether the last line holds nothing but its indent.
func (b *breaker) indented() bool {
	last := b.lines[len(b.lines)-1]
	return len(last) == 1 && strings.TrimSpace(last[0].text) == ""
}

func (b *breaker) append(sp span) {
	last := len(b.lines) - 1
	b.lines[last] = append(b.lines[last], sp)
	b.used += width(sp.text)
}

// split cuts a word after as many runes as fit, one at least.
func split(word string, columns int) (head, tail string) {
	used := 0
	for i, r := range word {
		if used += runeWidth(r); used > columns && i > 0 {
			return word[:i], word[i:]
		}
	}
	return word, ""
}

// width is how many columns a text takes.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// wide are the scripts whose runes take two columns. All of our own take one.
var wide = []*unicode.RangeTable{unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana}

func runeWidth(r rune) int {
	switch {
	case r < 0x1100:
		return 1
	case unicode.In(r, wide...), r >= 0x3000 && r <= 0x303F, r >= 0xFF01 && r <= 0xFF60, r >= 0x1F300 && r <= 0x1FAFF:
		return 2
	}
	return 1
}

// pad fills a text with blanks up to a width.
func pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-width(s)))
}
