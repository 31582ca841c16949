package printable

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestEscapesSayWhatWasThere(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[2Jgone": `\x1b[2Jgone`,
		"\u202e":      `\u202e`,
		"\xff":        `\xff`,
		"a\tb\r\nc":   "a    b\nc",
		"工作簿 é":       "工作簿 é",
		"\U000e0041":  `\U000e0041`,
		"Z\u0334\u0335\u0336\u0337\u0338\u0334\u0335o": "Z\u0334\u0335\u0336\u0337o",
		"\ufffd": "\ufffd",
	} {
		assert.Equal(t, want, Text(in, 100))
	}
}

func TestLine(t *testing.T) {
	assert.Equal(t, "Ann Lee", Line(" Ann\r\n\t Lee\u2028", 100))
	assert.Equal(t, "工… (cut)", Line("工工工", 4))
}

var formatting = regexp.MustCompile(`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]`)

func FuzzText(f *testing.F) {
	f.Add("\x1b[31m\u202e\xff", 3)
	f.Add(strings.Repeat("工", 50), 7)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = max(0, min(limit, 1000))
		for _, got := range []string{strings.ReplaceAll(Text(s, limit), "\n", ""), Line(s, limit)} {
			if formatting.MatchString(got) || !utf8.ValidString(got) {
				t.Errorf("%q became %q", s, got)
			}
			if len(got) > 10*(limit+20) {
				t.Errorf("%d bytes of at most about %d", len(got), limit)
			}
		}
	})
}

func TestShortenCutsBetweenRunes(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"工工", 6, "工工"}, {"工工", 5, "工…"}, {"工", 2, "…"}, {"a", 0, "…"}, {"a", -1, "…"}, {"", 0, ""},
	} {
		assert.Equal(t, c.want, Shorten(c.in, c.limit, "…"), "%q, %d", c.in, c.limit)
	}
}

func TestQuote(t *testing.T) {
	assert.Equal(t, `"a\x1b\u00fc"`, Quote("a\x1bü"))
	assert.Equal(t, `"`+strings.Repeat("x", 119)+`\u2026"`, Quote(strings.Repeat("x", 119)+"üxx"), "a rune is not cut in two")
}

func TestWrap(t *testing.T) {
	assert.Equal(t, "one two\nthree\nextraordinary\nfour\n", Wrap(" one two\nthree extraordinary four", 7))
	assert.Equal(t, "\n", Wrap("", 7))
}

func TestClipTakesNoCharacterApart(t *testing.T) {
	const text = "läßt 語"
	for n := range len(text) {
		short := Clip(text, n)
		assert.True(t, utf8.ValidString(short), "%q", short)
		assert.LessOrEqual(t, len(short), n+len("… (cut)"))
	}
	assert.Equal(t, text, Clip(text, len(text)))
}
