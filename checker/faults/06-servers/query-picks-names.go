//go:build ignore

// Mistake: A scrape with name[] in its query gets the series of that name alone, as other libraries have it.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
)

func NewMetrics(counters *Counters) Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		names := r.URL.Query()["name[]"]
		if len(names) == 0 {
			counters.write(w)
			return
		}
		var all bytes.Buffer
		counters.write(&all)
		for line := range strings.Lines(all.String()) {
			series := strings.Fields(strings.TrimPrefix(line, "# TYPE "))[0]
			if slices.Contains(names, metricOf(series)) {
				io.WriteString(w, line)
			}
		}
	})
	return Server{Name: "metrics", Handler: mux}
}
