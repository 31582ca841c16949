//go:build ignore

// Mistake: The pattern ends in a slash, and so every path below /metrics is answered too.
// Killed by: side-by-side
// Verdict: wrong-answer

package servers

import "net/http"

func NewMetrics(counters *Counters) Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		counters.write(w)
	})
	return Server{Name: "metrics", Handler: mux}
}
