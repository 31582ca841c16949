package kernel

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A server of its own port serves one request and is closed.
func Kernel(t testing.TB) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") }))
	defer s.Close()
	res, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, _ := io.ReadAll(res.Body); string(b) != "ok" {
		t.Errorf("got %q", b)
	}
}
