//go:build ignore

// Mistake: Flush is taken for something that cannot fail: app goes on writing to a connection that is gone.
// Killed by: streams-flow
// Verdict: wrong-answer

package servers

import "net/http"

func (a *answer) FlushError() error {
	a.code = a.status()
	if f, ok := a.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
	return nil
}
