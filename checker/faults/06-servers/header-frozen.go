//go:build ignore

// Mistake: Headers that are set after the answer has begun come too late, so Header returns a copy then. A trailer is
//   set after it.
// Killed by: probes-while-serving
// Verdict: wrong-answer

package servers

import "net/http"

func (a *answer) Header() http.Header {
	if a.code != 0 {
		return a.ResponseWriter.Header().Clone()
	}
	return a.ResponseWriter.Header()
}
