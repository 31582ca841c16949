//go:build ignore

// Mistake: A scraper comes twice a minute, so its connection is closed after each answer.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import "net/http"

func NewMetrics(counters *Counters) Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Connection", "close")
		counters.write(w)
	})
	return Server{Name: "metrics", Handler: mux}
}
