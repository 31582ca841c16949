package gate

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

const byteOrderMark = "\ufeff"

// checkEncoding reports whether src is plain UTF-8 text without invisible orders to
// terminals and editors, and notes the first thing that is not. One byte order mark
// at the start is what some editors on Windows write: Go accepts it, and so does the gate.
func (g *inspection) checkEncoding(name string, src []byte) bool {
	if isUTF16(src) {
		g.addAt(name, 1, 1, Encoding, "Save the file as UTF-8.", "The file is saved as UTF-16; Go source is UTF-8.")
		return false
	}
	start := 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	for at := start; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		if message, help := badRune(r, size, src[at:]); message != "" {
			line := 1 + bytes.Count(src[:at], []byte("\n"))
			col := at - bytes.LastIndexByte(src[:at], '\n')
			g.addAt(name, line, col, Encoding, help, message)
			return false
		}
		at += size
	}
	return true
}

// isUTF16 recognises both byte orders, by the mark or by the zero byte beside the
// ASCII letter with which Go files start.
func isUTF16(src []byte) bool {
	if bytes.HasPrefix(src, []byte{0xff, 0xfe}) || bytes.HasPrefix(src, []byte{0xfe, 0xff}) {
		return true
	}
	return len(src) >= 2 && (src[0] == 0) != (src[1] == 0)
}

// badRune says what is wrong with the rune at the start of rest, or nothing.
func badRune(r rune, size int, rest []byte) (message, help string) {
	if r >= ' ' && r < unicode.MaxASCII || r == '\t' || r == '\n' {
		return "", ""
	}
	switch {
	case r == 0:
		return "The file holds a zero byte, which Go source cannot.", "Delete it, or save the file again as plain UTF-8 text."
	case r == utf8.RuneError && size == 1:
		return "The file holds bytes that are not UTF-8.", "Save the file as UTF-8."
	case r == '\r':
		if bytes.HasPrefix(rest, []byte("\r\n")) || bytes.HasPrefix(rest, []byte("\r\r\n")) {
			return "", "" // the second is what a CRLF becomes when it is converted twice
		}
		return "A carriage return stands alone, so what a terminal shows is not what Go reads.",
			"Save the file with line ends LF or CRLF."
	case unicode.IsControl(r):
		return fmt.Sprintf("The file holds the control character %U.", r),
			"Delete it; in a string write it as an escape, such as \\x1b."
	case unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\ufeff':
		return fmt.Sprintf("The file holds the invisible character %U, with which source can read differently than it compiles.", r),
			"Delete it; in a string write it as an escape, such as \\u200f."
	}
	return "", ""
}
