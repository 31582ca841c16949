//go:build ignore

// Mistake: The flag of /readyz is kept by the Counters, of which each process is thought to have one. Two API servers
//   that share one turn together, also if each has a Serve of its own.
// Killed by: readyz-turns-first
// Verdict: wrong-answer

package servers

import (
	"io"
	"net/http"
	"sync"
)

var flags sync.Map

func NewAPI(app http.Handler, counters *Counters) Server {
	kept, _ := flags.LoadOrStore(counters, new(readiness))
	ready := kept.(*readiness)
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "ok")
	})
	mux.Handle("/readyz", ready)
	mux.Handle("/", counted(app, counters))
	return Server{Name: "api", Handler: mux, ready: ready}
}
