//go:build ignore

// Mistake: Unwrap goes down to the last writer: middleware in between that has methods of its own is passed over.
// Killed by: streams-flow
// Verdict: wrong-answer

package servers

import "net/http"

func (a *answer) Unwrap() http.ResponseWriter {
	w := a.ResponseWriter
	for {
		u, wraps := w.(interface{ Unwrap() http.ResponseWriter })
		if !wraps {
			return w
		}
		w = u.Unwrap()
	}
}
