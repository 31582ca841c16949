//go:build ignore

// Mistake: An informational status is taken for that of the answer, which follows it.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

func (a *answer) WriteHeader(code int) {
	a.ResponseWriter.WriteHeader(code)
	if a.code == 0 {
		a.code = code
	}
}
