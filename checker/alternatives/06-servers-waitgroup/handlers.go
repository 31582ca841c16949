package servers

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
)

// NewAPI makes the API server.
func NewAPI(app http.Handler, counters *Counters) Server {
	draining := new(atomic.Bool)
	app = counted(app, counters)
	return Server{
		Name:     "api",
		draining: draining,
		// No ServeMux: it would answer some of app's paths itself, with a redirect to
		// the cleaned path.
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/healthz":
				ok(w)
			case "/readyz":
				if draining.Load() {
					http.Error(w, "shutting down", http.StatusServiceUnavailable)
					return
				}
				ok(w)
			default:
				app.ServeHTTP(w, r)
			}
		}),
	}
}

func ok(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok")
}

// counted puts app between a counter and a net that catches panics.
func counted(app http.Handler, counters *Counters) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w}
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			count(counters, http.StatusInternalServerError)
			if v == http.ErrAbortHandler {
				panic(http.ErrAbortHandler)
			}
			slog.Error("panic in app", "method", r.Method, "path", r.URL.Path, "panic", v, "stack", string(debug.Stack()))
			if rec.status != 0 {
				panic(http.ErrAbortHandler)
			}
			clear(w.Header()) // they were meant for another answer
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}()
		app.ServeHTTP(rec, r)
		count(counters, rec.code())
	})
}

func count(counters *Counters, code int) {
	counters.Inc(`http_requests_total{code="` + strconv.Itoa(code) + `"}`)
}

// recorder remembers the status of an answer. It is used by one goroutine at a time,
// as every ResponseWriter.
type recorder struct {
	http.ResponseWriter
	status int // 0 while the answer has not begun
}

// code is the status that the answer has if the handler returns now.
func (r *recorder) code() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

func (r *recorder) begin(code int) {
	if r.status == 0 {
		r.status = code
	}
}

// WriteHeader is http.ResponseWriter's. Of the informational codes only 101 is the answer.
func (r *recorder) WriteHeader(code int) {
	r.ResponseWriter.WriteHeader(code)
	if code >= 200 || code == http.StatusSwitchingProtocols {
		r.begin(code)
	}
}

// Write is http.ResponseWriter's.
func (r *recorder) Write(p []byte) (int, error) {
	r.begin(http.StatusOK)
	return r.ResponseWriter.Write(p)
}

// Flush is http.Flusher's.
func (r *recorder) Flush() { _ = r.FlushError() }

// FlushError is what http.ResponseController looks for first.
func (r *recorder) FlushError() error {
	err := http.NewResponseController(r.ResponseWriter).Flush()
	if !errors.Is(err, http.ErrNotSupported) {
		r.begin(http.StatusOK)
	}
	return err
}

// Unwrap lets http.ResponseController find the rest.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// NewMetrics makes the metrics server.
func NewMetrics(counters *Counters) Server {
	return Server{
		Name: "metrics",
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/metrics" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
			_, _ = w.Write(counters.exposition())
		}),
	}
}
