//go:build ignore

// Mistake: ReadFrom notes that the answer has begun when the copy has returned. A source that panics never returns.
// Killed by: half-an-answer-is-cut
// Verdict: wrong-answer

package servers

import "io"

func (a *answer) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(a.ResponseWriter, r)
	a.code = a.status()
	return n, err
}
