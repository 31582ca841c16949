//go:build ignore

// Mistake: What is answered once the shutdown has begun is not counted: the last scrape misses the requests of the drain.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"io"
	"net/http"
)

func NewAPI(app http.Handler, counters *Counters) Server {
	ready := new(readiness)
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "ok") // alive, and that is all: who is draining must not be restarted
	})
	mux.Handle("/readyz", ready)
	mux.Handle("/", countedUntil(ready, app, counters))
	return Server{Name: "api", Handler: mux, ready: ready}
}

func countedUntil(ready *readiness, next http.Handler, counters *Counters) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w}
		defer func() {
			p := recover()
			code := a.status()
			if p != nil {
				code = http.StatusInternalServerError
			}
			if !ready.over.Load() {
				counters.Inc(fmt.Sprintf("http_requests_total{code=\"%d\"}", code))
			}
			if p != nil {
				a.fail(p, r)
			}
		}()
		next.ServeHTTP(a, r)
	})
}
