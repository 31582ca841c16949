//go:build ignore

// Mistake: What app panics with is asked for its text. An error that is a nil pointer panics again, in the deferred function.
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
	if err, ok := p.(error); ok {
		p = err.Error()
	}
	slog.ErrorContext(r.Context(), "handler panicked", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	if a.code != 0 {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
