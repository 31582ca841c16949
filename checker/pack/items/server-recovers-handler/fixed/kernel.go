package kernel

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// The server recovers what the handler panics with, and writes a stack to its log.
func Kernel(t testing.TB) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var labels map[string]string
		labels["app"] = r.URL.Path
	}))
	defer s.Close()
	res, err := s.Client().Get(s.URL)
	if err == nil {
		res.Body.Close()
		t.Error("a handler that panicked has answered")
	}
}
