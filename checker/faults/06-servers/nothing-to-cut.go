//go:build ignore

// Mistake: An answer with 304 has no body, so there is no half of it, and it is let through.
// Killed by: half-an-answer-is-cut
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
	if a.code == http.StatusNotModified {
		return
	}
	if a.code != 0 {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
