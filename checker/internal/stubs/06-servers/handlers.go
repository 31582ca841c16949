package servers

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// NewAPI makes the API server. Its Name is "api" and its Handler answers
//
//	/healthz   200 and the body "ok", from the first request to the last
//	/readyz    200 and the body "ok" until shutdown begins (see Serve), then 503
//	the rest   is app's
//
// Probes come with GET; how other methods at these two paths are answered is left open. A
// path that is not clean, such as //x, may be redirected to one that is, as http.ServeMux
// does; app need not see such a request. Nor need it see OPTIONS *, which net/http answers
// itself. All others are handed to app at once, before their body has arrived and however
// many are under way. What /readyz answers when Serve has returned is left open.
//
// The routes are its own, and /readyz is about its own shutdown: any number of API servers
// can live in one process, in several calls of Serve too, and nothing is registered in
// http.DefaultServeMux.
//
// Every request to app is counted in counters when app has returned, before its
// answer is complete: as http_requests_total{code="200"}, with the status that the
// answer has. (If app completes its answer itself, with a Flush or the last byte of its
// Content-Length, say, it is counted after that.) That is the first status that app sets,
// because net/http ignores all that follow, and never an informational one (1xx, except
// 101), because an answer comes after it. A Write or a Flush before any status sets 200,
// even if it fails. So does a return without any status. (After a Flush that fails with
// http.ErrNotSupported it is left open.) Requests to the probes are not counted.
//
// If app panics, the process and all other requests go on. The client gets a 500 if app
// had not begun to answer. It can be read whole: no Content-Length or Content-Encoding
// that app had set for its own answer is sent with it. After the 500 the Handler returns;
// it does not panic on. If app had begun, the connection is cut, whatever the status and
// the method, so that no client takes half an answer for a whole one. A panic with
// http.ErrAbortHandler always cuts the connection: it is how a handler asks for that. (An
// error that wraps it may be treated like it or like any other.) However app panicked, the
// request is counted once, with code 500. WriteHeader, Write and a Flush each begin an
// answer; an informational status (1xx, except 101) does not, nor does a WriteHeader that
// panics because net/http knows no such status.
//
// app's ResponseWriter behaves as the one that the Handler was given, which is net/http's own
// if nothing is around the Handler. Through http.NewResponseController(w) app can do all that
// it could with that one, flush above all, and it sees the same errors. A connection that app
// hijacks is app's own from then on: the wrapper leaves it alone when app returns, and Serve
// neither closes it nor waits for it or for its handler. How such a request is counted, and
// what a panic after the hijacking does, is left open. A Hijack that fails changes nothing.
func NewAPI(app http.Handler, counters *Counters) Server {
	panic(kit.TODO("NewAPI"))
}

// NewMetrics makes the metrics server. Its Name is "metrics" and its Handler
// answers /metrics with the counters and everything else with 404. A scrape is a GET; a
// query in its URL changes nothing. How other methods, and paths that are not clean, such as
// //metrics, are answered is left open.
//
// The answer is in the text exposition format, whatever the client says that it accepts:
// Content-Type "text/plain; version=0.0.4" (there may be more parameters) and one line for
// each series with its count. Series of one metric stand together, after one line
// "# TYPE name counter". While nothing has been counted, the answer is a 200 as well, with
// no series in it.
//
//	# TYPE http_requests_total counter
//	http_requests_total{code="200"} 41
//	http_requests_total{code="500"} 1
func NewMetrics(counters *Counters) Server {
	panic(kit.TODO("NewMetrics"))
}
