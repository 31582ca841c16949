//go:build ignore

// Mistake: The wrapper overrides Write alone: every answer counts as 200.
// Killed by: counts-answers
// Verdict: wrong-answer
// Without: answer.WriteHeader

package servers

import "net/http"

func (a *answer) writeHeader(code int) {
	if a.code == 0 && (code >= 200 || code == http.StatusSwitchingProtocols) {
		a.code = code
	}
	a.ResponseWriter.WriteHeader(code)
}
