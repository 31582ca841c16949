//go:build ignore

// Mistake: http.ErrAbortHandler is taken for a panic like any other and answered with a 500.
// Killed by: half-an-answer-is-cut
// Verdict: wrong-answer

package servers

import (
	"log/slog"
	"net/http"
	"runtime/debug"
)

func (a *answer) fail(p any, r *http.Request) {
	slog.ErrorContext(r.Context(), "handler panicked", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	if a.code != 0 {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
