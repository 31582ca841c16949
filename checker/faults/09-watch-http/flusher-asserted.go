//go:build ignore

// Mistake: The ResponseWriter is asserted to be a Flusher: one that is wrapped is not, and nothing says so.
// Killed by: each-event-at-once
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type frames struct {
	encoder *json.Encoder
	control *http.ResponseController
	w       http.ResponseWriter
}

func open(w http.ResponseWriter) frames {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	control.Flush()
	return frames{json.NewEncoder(w), control, w}
}

func (f frames) send(what kit.EventType, object any) error {
	if err := f.encoder.Encode(frame[any]{what, object}); err != nil {
		return err
	}
	if flusher, ok := f.w.(http.Flusher); ok {
		flusher.Flush()
	}
	return nil
}
