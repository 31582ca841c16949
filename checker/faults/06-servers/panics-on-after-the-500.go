//go:build ignore

// Mistake: After the 500 the wrapper panics on with http.ErrAbortHandler, so that net/http closes the connection. A
//   caller of the Handler that is not net/http gets that panic.
// Killed by: panic-is-answered
// Verdict: wrong-answer

package servers

import (
	"log/slog"
	"net/http"
	"runtime/debug"
)

func (a *answer) fail(p any, r *http.Request) {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	slog.ErrorContext(r.Context(), "handler panicked", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	if a.code != 0 {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	a.Header().Set("Connection", "close")
	a.Header().Set("Content-Length", "0")
	a.ResponseWriter.WriteHeader(http.StatusInternalServerError)
	http.NewResponseController(a.ResponseWriter).Flush()
	panic(http.ErrAbortHandler)
}
