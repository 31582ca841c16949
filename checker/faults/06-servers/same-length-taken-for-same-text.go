//go:build ignore

// Mistake: A scraper that has the text already gets a 304. The tag of the text is its length, which stays when a
//   count goes from 1 to 2.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import (
	"bytes"
	"fmt"
	"net/http"
)

func NewMetrics(counters *Counters) Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		var text bytes.Buffer
		counters.write(&text)
		tag := fmt.Sprintf("\"%d\"", text.Len())
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		text.WriteTo(w)
	})
	return Server{Name: "metrics", Handler: mux}
}
