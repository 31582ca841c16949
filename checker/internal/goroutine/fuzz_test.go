package goroutine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// FuzzParse: a subject can print anything between the goroutines of a dump. No text has more
// goroutines or frames in it than lines.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		recorded, strings.ReplaceAll(recorded, "\n", "\r\n"), recorded[:len(recorded)/2],
		"goroutine 1 [running]:\n", "goroutine 99999999999999999999 [a, synctest bubble x]:\nf()\n\t:\n",
		"goroutine 1 [x]:\ncreated by \n\t\n", "goroutine 1 []:\n(\n\ta.go:1\n)\n\tb:c:2\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		all := Parse(text)
		frames := 0
		for _, g := range all {
			frames += len(g.Frames)
			g.Blocked()
			g.OnMutex()
			if frame, ok := g.Innermost("example.com/lab"); ok {
				assert.True(t, frame.In("example.com/lab"))
				assert.True(t, g.Touches("example.com/lab"))
			}
		}
		assert.LessOrEqual(t, len(all)+2*frames, lines)
		assert.Equal(t, all, Parse(text), "the same text is read in two ways")
	})
}
