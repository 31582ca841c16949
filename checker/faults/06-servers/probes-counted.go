//go:build ignore

// Mistake: The whole mux is counted: the kubelet's probes drown the numbers.
// Killed by: counts-answers
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
	mux.Handle("/", app)
	return Server{Name: "api", Handler: counted(mux, counters), ready: ready}
}
