//go:build ignore

// Mistake: Only a panic with an error or a string is answered: after any other the client gets an empty 200.
// Killed by: panic-is-answered
// Verdict: wrong-answer

package servers

import "net/http"

func (a *answer) fail(p any, _ *http.Request) {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	if a.code != 0 {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	switch p := p.(type) {
	case error:
		http.Error(a.ResponseWriter, p.Error(), http.StatusInternalServerError)
	case string:
		http.Error(a.ResponseWriter, p, http.StatusInternalServerError)
	}
}
