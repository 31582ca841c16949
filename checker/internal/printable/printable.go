// Package printable makes texts of unknown origin safe to show.
//
// A submission decides what an error or a panic says, and a roster what people are
// called. A terminal obeys escape sequences, bidi overrides make one line read like
// another, invisible characters hide in names, and all of these outlive any quoting
// that a format like HTML or XML asks for. So everything that does not print as
// itself is written as an escape, whatever the text is shown on.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text makes s harmless and cuts it to about limit bytes. Line ends stay; tabs become
// spaces.
func Text(s string, limit int) string {
	s = Clip(s, limit)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	marks := 0
	for i, r := range s {
		if !unicode.Is(unicode.M, r) {
			marks = 0
		} else if marks++; marks > maxMarks {
			continue
		}
		switch {
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			Escape(&b, r)
		}
	}
	return b.String()
}

// maxMarks is how many combining marks a character may carry. Living scripts need
// three or four; a pile of hundreds covers the lines above and below.
const maxMarks = 4

// Line is Text for what has to stay on one line, like a name: any space, line ends
// too, becomes a single blank.
func Line(s string, limit int) string {
	return Text(strings.Join(strings.Fields(Clip(s, limit)), " "), limit+len(cutMark))
}

const cutMark = "… (cut)"

// Clip shortens s to at most limit bytes, never within a rune, and says so behind them.
func Clip(s string, limit int) string { return Shorten(s, limit, cutMark) }

// Shorten returns s if it has at most limit bytes. Otherwise it returns the longest
// beginning of s that has at most limit bytes and ends between two runes, and mark
// behind it.
func Shorten(s string, limit int, mark string) string {
	if len(s) <= limit {
		return s
	}
	limit = max(limit, 0)
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + mark
}

// maxQuoted bounds a name in a sentence, in bytes.
const maxQuoted = 120

// Quote shows a name that somebody else chose inside a sentence of ours: shortened,
// within quotes, and with an escape for all that is not plain ASCII.
func Quote(name string) string { return fmt.Sprintf("%+q", Shorten(name, maxQuoted, "…")) }

// Wrap breaks a text between words into lines of at most columns bytes, each with a
// newline at its end. A longer word has a line of its own.
func Wrap(text string, columns int) string {
	var b strings.Builder
	width := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case width == 0:
		case width+1+len(word) > columns:
			b.WriteString("\n")
			width = 0
		default:
			b.WriteString(" ")
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String() + "\n"
}

// Escape writes r as Go would in a string literal.
func Escape(b *strings.Builder, r rune) {
	switch {
	case r < 0x80:
		fmt.Fprintf(b, `\x%02x`, r)
	case r < 0x10000:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}
