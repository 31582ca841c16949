//go:build ignore

// Mistake: Routes are registered in http.DefaultServeMux, as http.HandleFunc does: the second server of the
//   process finds them taken.
// Killed by: side-by-side
// Verdict: panic

package servers

import (
	"io"
	"net/http"
)

func NewAPI(app http.Handler, counters *Counters) Server {
	ready := new(readiness)
	mux := http.DefaultServeMux
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "ok")
	})
	mux.Handle("/readyz", ready)
	mux.Handle("/", counted(app, counters))
	return Server{Name: "api", Handler: mux, ready: ready}
}
