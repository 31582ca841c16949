//go:build ignore

// Mistake: One handler for both probes: a process that drains is restarted for it.
// Killed by: readyz-turns-first
// Verdict: wrong-answer

package servers

import (
	"io"
	"net/http"
)

func NewAPI(app http.Handler, counters *Counters) Server {
	ready := new(readiness)
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "ok")
	})
	mux.Handle("/readyz", ready)
	mux.Handle("GET /healthz", ready)
	mux.Handle("/", counted(app, counters))
	return Server{Name: "api", Handler: mux, ready: ready}
}
