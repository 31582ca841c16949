//go:build ignore

// Mistake: The pattern of app matches the root and nothing below it.
// Killed by: probes-while-serving
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
	mux.Handle("/{$}", counted(app, counters))
	return Server{Name: "api", Handler: mux, ready: ready}
}
