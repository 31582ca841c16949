package servers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// NewAPI makes the API server.
func NewAPI(app http.Handler, counters *Counters) Server {
	var routes sync.Map
	routes.Store("/healthz", http.HandlerFunc(fine))
	routes.Store("/readyz", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if stopping, ok := r.Context().Value(stoppingKey{}).(context.Context); ok && stopping.Err() != nil {
			w.WriteHeader(503)
			return
		}
		fine(w, r)
	}))
	return Server{Name: "api", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if probe, ok := routes.Load(r.URL.Path); ok {
			probe.(http.Handler).ServeHTTP(w, r)
			return
		}
		guard(app, counters, w, r)
	})}
}

// stoppingKey finds, in the context of a request, the context that ends when shutdown begins.
type stoppingKey struct{}

func fine(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok")) }

func guard(app http.Handler, counters *Counters, w http.ResponseWriter, r *http.Request) {
	var begun int
	failed := true
	var why any
	func() {
		defer func() {
			if failed {
				why = recover()
			}
		}()
		app.ServeHTTP(&writer{w, &begun}, r)
		failed = false
	}()
	code := begun
	if failed {
		code = 500
	} else if code == 0 {
		code = 200
	}
	counters.Inc("http_requests_total{code=\"" + strconv.Itoa(code) + "\"}")
	if !failed {
		return
	}
	if begun != 0 || why == http.ErrAbortHandler {
		panic(http.ErrAbortHandler)
	}
	for k := range w.Header() {
		w.Header().Del(k)
	}
	w.Header().Set("Connection", "close")
	w.WriteHeader(500)
	_, _ = io.WriteString(w, `{"kind":"Status","code":500}`)
}

type writer struct {
	w     http.ResponseWriter
	begun *int
}

func (w *writer) Header() http.Header { return w.w.Header() }

func (w *writer) start(code int) {
	if *w.begun == 0 && (code == 101 || code > 199) {
		*w.begun = code
	}
}

func (w *writer) WriteHeader(code int) {
	w.w.WriteHeader(code)
	w.start(code)
}

func (w *writer) Write(p []byte) (int, error) {
	w.start(200)
	return w.w.Write(p)
}

// ReadFrom begins the answer when the first byte comes: a reader that has none begins nothing.
func (w *writer) ReadFrom(from io.Reader) (int64, error) { return io.Copy(w.w, source{from, w}) }

type source struct {
	from io.Reader
	w    *writer
}

func (s source) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	if n > 0 {
		s.w.start(200)
	}
	return n, err
}

func (w *writer) FlushError() error {
	err := http.NewResponseController(w.w).Flush()
	if !errors.Is(err, http.ErrNotSupported) {
		w.start(200)
	}
	return err
}

func (w *writer) Flush() { _ = w.FlushError() }

func (w *writer) Unwrap() http.ResponseWriter { return w.w }

// NewMetrics makes the metrics server.
func NewMetrics(counters *Counters) Server {
	return Server{
		Name: "metrics",
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/metrics" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			counters.writeTo(w)
		}),
	}
}
