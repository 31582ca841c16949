//go:build ignore

// Mistake: Every WriteHeader sets the status that is counted; net/http sends the first and ignores the
//   others.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import "net/http"

func (a *answer) WriteHeader(code int) {
	a.ResponseWriter.WriteHeader(code)
	if code >= 200 || code == http.StatusSwitchingProtocols {
		a.code = code
	}
}
