//go:build ignore

// Mistake: A connection that has carried a watch has to close after it: over HTTP/2 all requests share it.
// Killed by: http2-shares-one-connection
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"net/http"
)

func open(w http.ResponseWriter) frames {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.Header().Set("Connection", "close")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	control.Flush()
	return frames{json.NewEncoder(w), control}
}
