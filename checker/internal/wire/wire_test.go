package wire

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestClipTakesNoCharacterApart(t *testing.T) {
	const text = "läßt 語"
	for n := range len(text) {
		short := Clip(text, n)
		assert.True(t, utf8.ValidString(short), "%q", short)
		assert.LessOrEqual(t, len(short), n+len("… (cut)"))
	}
	assert.Equal(t, text, Clip(text, len(text)))
}
