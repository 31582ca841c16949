//go:build ignore

// Mistake: The newline counts as a byte of the event: the longest event that is allowed is refused.
// Killed by: huge-events-are-bounded
// Verdict: wrong-answer

package watchhttp

import (
	"bufio"
	"io"
)

func newLines(r io.Reader, max int) *lines { return &lines{in: bufio.NewReader(r), max: max - 1} }
