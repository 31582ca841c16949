//go:build ignore

// Mistake: A request whose context has ended is taken for one whose client has gone: a handler that panics in the drain gets no 500.
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
	if a.code != 0 || r.Context().Err() != nil {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
