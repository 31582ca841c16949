package servers

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// NewAPI makes the API server. Its Name is "api" and its Handler answers
//
//	/healthz   200 and the body "ok", from the first request to the last
//	/readyz    200 and the body "ok" until shutdown begins (see Serve), then 503
//	the rest   what app answers
//
// Probes come with GET; other methods there may be treated as you like. A path that is not
// clean, such as //x, may be redirected to one that is: http.ServeMux does it. A request is
// handed to app at once, however many are under way.
//
// The routes are its own: any number of API servers can live in one process, and
// nothing is registered in http.DefaultServeMux.
//
// Every request to app is counted in counters when app has returned, before its
// answer is complete: as http_requests_total{code="200"}, with the status that the
// answer has. That is the first status that app sets, because net/http ignores all that
// follow, and never an informational one (1xx, except 101), because an answer comes after
// it. A Write, a Flush or a return before any status sets 200. Requests to the probes are
// not counted. (If app completes its answer itself, with a Flush, say, it is counted after
// that.)
//
// If app panics, the process and all other requests go on. The client gets a 500
// if app had not begun to answer. If app had begun, the connection is cut, so that
// no client takes half an answer for a whole one. Either way the request is counted
// with code 500. WriteHeader, Write and a Flush each begin an answer; an informational
// status (1xx, except 101) does not. A panic with http.ErrAbortHandler always cuts the
// connection: it is how a handler asks for that. It counts as 500, too.
//
// app can do through http.NewResponseController(w) all that net/http's own
// ResponseWriter can do: flush above all. A connection that app hijacks is app's own from
// then on: the wrapper leaves it alone when app returns, and Serve does not wait for it.
// How such a request is counted, and what a panic after that does, is left open.
func NewAPI(app http.Handler, counters *Counters) Server {
	panic(kit.TODO("NewAPI"))
}

// NewMetrics makes the metrics server. Its Name is "metrics" and its Handler
// answers /metrics with the counters and everything else with 404. A scrape comes with GET,
// perhaps with a query; other methods, and paths that are not clean, such as //metrics, may
// be treated as you like.
//
// The answer is in the text exposition format, whatever else the client accepts:
// Content-Type "text/plain; version=0.0.4" (there may be more parameters) and one line for
// each series with its count. Series of one metric stand together, after one line
// "# TYPE name counter".
//
//	# TYPE http_requests_total counter
//	http_requests_total{code="200"} 41
//	http_requests_total{code="500"} 1
func NewMetrics(counters *Counters) Server {
	panic(kit.TODO("NewMetrics"))
}
