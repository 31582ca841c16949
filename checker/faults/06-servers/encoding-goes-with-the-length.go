//go:build ignore

// Mistake: The headers of app are cleared if app had set a Content-Length: without one nothing says how long the
//   answer is. A Content-Encoding stays.
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
	if a.Header().Get("Content-Length") != "" {
		clear(a.Header())
	}
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
