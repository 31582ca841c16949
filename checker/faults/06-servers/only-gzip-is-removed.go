//go:build ignore

// Mistake: Of the encodings that app may have set for its own answer only gzip is thought of.
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
	if a.Header().Get("Content-Encoding") == "gzip" {
		a.Header().Del("Content-Encoding")
	}
	a.Header().Del("Content-Length")
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
