//go:build ignore

// Mistake: A client that has got an informational status is owed an answer, so http.ErrAbortHandler is not obeyed after one.
// Killed by: half-an-answer-is-cut
// Verdict: wrong-answer

package servers

import (
	"log/slog"
	"net/http"
	"runtime/debug"
)

type answer struct {
	http.ResponseWriter
	code   int
	hinted bool
}

func (a *answer) WriteHeader(code int) {
	a.ResponseWriter.WriteHeader(code)
	if code < 200 && code != http.StatusSwitchingProtocols {
		a.hinted = true
		return
	}
	if a.code == 0 {
		a.code = code
	}
}

func (a *answer) fail(p any, r *http.Request) {
	if p == http.ErrAbortHandler && !a.hinted {
		panic(p)
	}
	slog.ErrorContext(r.Context(), "handler panicked", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	if a.code != 0 {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
