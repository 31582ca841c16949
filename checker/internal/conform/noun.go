package conform

import (
	"fmt"
	"strings"
)

// Count is a number of things in a sentence: "1 value", "3 values", "0 values". plural is for
// nouns that take more than an s: Count(n, "entry", "entries").
func Count(n int, noun string, plural ...string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case len(plural) > 0:
		noun = plural[0]
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Some is as Count, with a word for zero: "no values".
func Some(n int, noun string, plural ...string) string {
	text := Count(n, noun, plural...)
	if n == 0 {
		return "no" + strings.TrimPrefix(text, "0")
	}
	return text
}
