package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds any single text that is written, in bytes.
const maxText = 16 << 10

// clean makes a text harmless. A subject decides what an error or a panic says,
// and a terminal obeys what it is sent: escape sequences move the cursor and
// rewrite what stands there, bidi overrides make one line read like another,
// invisible characters hide in names. Everything that does not print as itself is
// written as an escape. Line ends stay; tabs become spaces.
func clean(s string) string {
	if len(s) > maxText {
		s = s[:maxText] + "… (cut)"
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for i, r := range s {
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
			escape(&b, r)
		}
	}
	return b.String()
}

func escape(b *strings.Builder, r rune) {
	switch {
	case r < 0x80:
		fmt.Fprintf(b, `\x%02x`, r)
	case r < 0x10000:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}

// plain are the runes of our own texts that ASCII has to say otherwise.
var plain = strings.NewReplacer(
	"…", "...", "—", "-", "–", "-", "‘", "'", "’", "'", "“", `"`, "”", `"`,
	"→", "->", "←", "<-", "↔", "<->", "⇒", "=>", "≤", "<=", "≥", ">=", "≠", "!=", "≈", "~",
	"×", "x", "·", "-", "•", "*", "µ", "u", "°", " deg", "½", "1/2", "✓", "ok", "✗", "x",
	"─", "-", "│", "|", "█", "#", "░", ".", "▸", ">", "§", "section ", "∞", "infinity", "\u00a0", " ",
)

// ascii writes a text without any rune above 127.
func ascii(s string) string {
	s = plain.Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			escape(&b, r)
		}
	}
	return b.String()
}
