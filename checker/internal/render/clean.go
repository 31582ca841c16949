package render

import (
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// maxText bounds any single text that is written, in bytes.
const maxText = 16 << 10

// clean makes a text harmless: a terminal obeys what it is sent.
func clean(s string) string { return printable.Text(s, maxText) }

// plain replaces the runes of our own texts with ASCII.
var plain = strings.NewReplacer(
	"…", "...", "—", "-", "–", "-", "−", "-", "‘", "'", "’", "'", "“", `"`, "”", `"`,
	"→", "->", "←", "<-", "↑", "^", "↓", "v", "↔", "<->", "⇒", "=>", "≤", "<=", "≥", ">=", "≠", "!=", "≈", "~",
	"×", "x", "ⁿ⁻¹", "^(n-1)", "ⁿ", "^n", "·", "-", "•", "*", "µ", "u", "°", " deg", "½", "1/2", "✓", "ok", "✗", "x",
	"─", "-", "│", "|", "┊", ":", "┬", "+", "┴", "+", "■", "#", "●", "*", "▼", "v", "█", "#", "░", ".", "▸", ">", "§", "section ", "∞", "infinity", "\u00a0", " ",
)

// ascii writes a text without any rune above 127.
func ascii(s string) string {
	s = plain.Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			printable.Escape(&b, r)
		}
	}
	return b.String()
}
