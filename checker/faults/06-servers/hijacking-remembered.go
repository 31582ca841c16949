//go:build ignore

// Mistake: Wrappers are kept for the next request, and of what the last one did the hijacking is not forgotten.
// Killed by: panic-is-answered
// Verdict: wrong-answer

package servers

import (
	"bufio"
	"fmt"
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
	a.hijacked = a.hijacked || err == nil
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

func counted(next http.Handler, counters *Counters) http.Handler {
	spare := make(chan *answer, 16)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a *answer
		select {
		case a = <-spare:
			a.ResponseWriter, a.code = w, 0
		default:
			a = &answer{ResponseWriter: w}
		}
		defer func() {
			select {
			case spare <- a:
			default:
			}
		}()
		defer func() {
			p := recover()
			code := a.status()
			if p != nil {
				code = http.StatusInternalServerError
			}
			counters.Inc(fmt.Sprintf("http_requests_total{code=\"%d\"}", code))
			if p != nil {
				a.fail(p, r)
			}
		}()
		next.ServeHTTP(a, r)
	})
}
