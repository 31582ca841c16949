//go:build ignore

// Mistake: ReadFrom begins the answer, whatever its source has. An io.Copy of nothing begins none, and the status
//   that app sets after it is the one that the client gets.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import "io"

func (a *answer) ReadFrom(r io.Reader) (int64, error) {
	a.code = a.status()
	return io.Copy(a.ResponseWriter, r)
}
