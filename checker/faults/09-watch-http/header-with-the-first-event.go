//go:build ignore

// Mistake: The header goes out with the first event: until something changes, a client does not know that its
//   watch has begun.
// Killed by: each-event-at-once
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"net/http"
)

func open(w http.ResponseWriter) frames {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	return frames{json.NewEncoder(w), control}
}
