//go:build ignore

// Mistake: The flag behind /readyz is a plain bool: it is only set once, so what could go wrong.
// Killed by: stop-under-load
// Verdict: data-race

package servers

import (
	"io"
	"net/http"
)

type readiness struct{ over bool }

func (r *readiness) end() {
	if r != nil {
		r.over = true
	}
}

func (r *readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if r.over {
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	}
	io.WriteString(w, "ok")
}
