//go:build ignore

// Mistake: Every status below 200 is taken for an announcement, 101 too, with which the answer ends.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

func (a *answer) WriteHeader(code int) {
	a.ResponseWriter.WriteHeader(code)
	if a.code == 0 && code >= 200 {
		a.code = code
	}
}
