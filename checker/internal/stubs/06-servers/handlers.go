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
// Probes come with GET; what other methods get there is left open. So is whether a path
// that is not clean, such as //x, is first redirected to one that is: http.ServeMux does it.
//
// The routes are its own: any number of API servers can live in one process, and
// nothing is registered in http.DefaultServeMux.
//
// Every request to app is counted in counters when app has returned, before its
// answer is complete: as http_requests_total{code="200"}, with the status that the
// answer has. That is the first status that app sets, for net/http ignores all that
// follow, and never an informational one (1xx, except 101), for an answer comes after
// it. Requests to the probes are not counted.
//
// If app panics, the process and all other requests go on. The client gets a 500
// if app had not begun to answer. If app had begun, the connection is cut, so that
// no client takes half an answer for a whole one. Either way the request is counted
// with code 500. WriteHeader, Write and a Flush each begin an answer; an informational
// status (1xx, except 101) does not. A panic with http.ErrAbortHandler always cuts the
// connection: it is how a handler asks for that.
//
// app can do through http.NewResponseController(w) all that net/http's own
// ResponseWriter can do: flush above all.
func NewAPI(app http.Handler, counters *Counters) Server {
	panic(kit.TODO("NewAPI"))
}

// NewMetrics makes the metrics server. Its Name is "metrics" and its Handler
// answers /metrics with the counters and everything else with 404.
//
// The answer is in the text exposition format: Content-Type
// "text/plain; version=0.0.4" (more parameters may follow) and one line for each
// series with its count. Series of one metric stand together, after one line
// "# TYPE name counter".
//
//	# TYPE http_requests_total counter
//	http_requests_total{code="200"} 41
//	http_requests_total{code="500"} 1
func NewMetrics(counters *Counters) Server {
	panic(kit.TODO("NewMetrics"))
}
