//go:build ignore

// Mistake: The panic is recovered and that is that: net/http ends the answer as if it were complete.
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
	if a.code != 0 {
		return
	}
	clear(a.Header())
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
