//go:build ignore

// Mistake: The connection is taken for app's own once app has called Hijack, whatever came of it.
// Killed by: panic-is-answered
// Verdict: wrong-answer

package servers

import (
	"bufio"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
)

type answer struct {
	http.ResponseWriter
	code     int
	hijacked bool
}

func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(a.ResponseWriter).Hijack()
	a.hijacked = true
	return conn, rw, err
}

func (a *answer) fail(p any, r *http.Request) {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	slog.ErrorContext(r.Context(), "handler panicked", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	if a.code != 0 || a.hijacked {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
