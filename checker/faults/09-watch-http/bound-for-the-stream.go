//go:build ignore

// Mistake: The bound is put around the whole stream: a watch ends after that many bytes, and nobody knows
//   why.
// Killed by: huge-events-are-bounded
// Verdict: wrong-answer

package watchhttp

import (
	"bufio"
	"io"
)

func newLines(r io.Reader, max int) *lines {
	return &lines{in: bufio.NewReader(io.LimitReader(r, int64(max))), max: max}
}
