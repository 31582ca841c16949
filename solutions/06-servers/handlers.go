package servers

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
)

// NewAPI makes the API server: probes, and app for all other paths, counted and
// kept from harm. The stub's documentation is the contract.
func NewAPI(app http.Handler, counters *Counters) Server {
	ready := new(readiness)
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "ok") // alive, and that is all: who is draining must not be restarted
	})
	mux.Handle("/readyz", ready)
	mux.Handle("/", counted(app, counters))
	return Server{Name: "api", Handler: mux, ready: ready}
}

// readiness answers /readyz. Serve ends it in one goroutine while requests read it
// in others: a plain bool would be a race, and a request might never see it change.
type readiness struct{ over atomic.Bool }

// end turns /readyz for good. A server without /readyz has a nil readiness.
func (r *readiness) end() {
	if r != nil {
		r.over.Store(true)
	}
}

// ServeHTTP is the handler of /readyz.
func (r *readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if r.over.Load() {
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	}
	io.WriteString(w, "ok")
}

// NewMetrics makes the metrics server.
func NewMetrics(counters *Counters) Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		counters.write(w)
	})
	return Server{Name: "metrics", Handler: mux}
}

// counted runs next, counts its answer by code and stands between its panics and
// the rest of the process.
//
// next runs in the goroutine that net/http gave us. It is tempting to start another
// one for it, to time it say: but a panic there is out of reach of every
// recover but its own, ours and net/http's included.
func counted(next http.Handler, counters *Counters) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w}
		defer func() {
			p := recover()
			code := a.status()
			if p != nil {
				code = http.StatusInternalServerError
			}
			// Before the panic goes on and before net/http ends the answer: a client
			// that has read the answer finds it counted.
			counters.Inc(fmt.Sprintf("http_requests_total{code=\"%d\"}", code))
			if p != nil {
				a.fail(p, r)
			}
		}()
		next.ServeHTTP(a, r)
	})
}

// answer is a ResponseWriter that remembers the status of the answer. It belongs
// to the goroutine of one request.
type answer struct {
	http.ResponseWriter
	code int // 0 until the answer has begun
}

// WriteHeader begins the answer, unless net/http panics because there is no such
// status. An informational status (1xx) does not begin it: the real one follows.
func (a *answer) WriteHeader(code int) {
	a.ResponseWriter.WriteHeader(code)
	if a.code == 0 && (code >= 200 || code == http.StatusSwitchingProtocols) {
		a.code = code
	}
}

// Write begins the answer with 200 if nothing else has.
func (a *answer) Write(p []byte) (int, error) {
	a.code = a.status()
	return a.ResponseWriter.Write(p)
}

// FlushError begins the answer too: what is flushed is out, if only the header is.
func (a *answer) FlushError() error {
	a.code = a.status()
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// Unwrap shows http.ResponseController the writer underneath. Without it this type
// would hide whatever else that writer can do, such as setting deadlines.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) status() int {
	if a.code == 0 {
		return http.StatusOK
	}
	return a.code
}

// fail answers for a handler that panicked with p. If half an answer is out, all that
// is left is to break the connection, which is what net/http does on ErrAbortHandler.
func (a *answer) fail(p any, r *http.Request) {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	slog.ErrorContext(r.Context(), "handler panicked", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	if a.code != 0 {
		panic(http.ErrAbortHandler)
	}
	clear(a.Header()) // app set it for its own answer
	http.Error(a.ResponseWriter, "the handler of this request panicked", http.StatusInternalServerError)
}
