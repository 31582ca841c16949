//go:build ignore

// Mistake: Only the API server gets its Name: the errors of the metrics server begin with a colon.
// Killed by: cannot-listen
// Verdict: wrong-answer

package servers

import "net/http"

func NewMetrics(counters *Counters) Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		counters.write(w)
	})
	return Server{Handler: mux}
}
