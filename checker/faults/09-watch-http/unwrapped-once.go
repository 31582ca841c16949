//go:build ignore

// Mistake: The ResponseWriter may be wrapped, so what Unwrap returns is asked for its Flush; that may be wrapped as well.
// Killed by: each-event-at-once
// Verdict: wrong-answer

package watchhttp

import (
	"encoding/json"
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// frames writes events, each as one line.
type frames struct {
	encoder *json.Encoder
	w       http.ResponseWriter
}

func open(w http.ResponseWriter) frames {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusOK)
	f := frames{json.NewEncoder(w), w}
	f.flush()
	return f
}

func (f frames) flush() {
	inner := f.w
	if wrapper, is := inner.(interface{ Unwrap() http.ResponseWriter }); is {
		inner = wrapper.Unwrap()
	}
	if flusher, is := inner.(http.Flusher); is {
		flusher.Flush()
	}
}

func (f frames) send(what kit.EventType, object any) error {
	if err := f.encoder.Encode(frame[any]{what, object}); err != nil {
		return err
	}
	f.flush()
	return nil
}
