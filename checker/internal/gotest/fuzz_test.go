package gotest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// FuzzSigned: a process that does not know the nonce of its run has nothing to say.
func FuzzSigned(f *testing.F) {
	const nonce = "MKJDRHZRNWXDZK3YP4GXZ7SLQE"
	for _, text := range []string{
		`{"nonce":"","kind":"end","case":"keeps-order","passed":true}`, `{"Nonce":null}`, `[{}]`, `{"nonce":"` + nonce[:25] + `"}`,
		"null\nnull\n", "\x00", `{"nonce":1}`, `{"kind":"end"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		assert.Empty(t, signed(decoded(text), nonce, "keeps-order"))
		own := []byte(`{"nonce":"` + nonce + `","kind":"start","case":"keeps-order"}` + "\n")
		records := signed(decoded(append(own, text...)), nonce, "keeps-order")
		assert.Len(t, records, 1, "what comes first counts, and what follows adds nothing")
	})
}
