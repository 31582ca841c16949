// Package servers is lab 06: an API server and a metrics server side by side in
// one process, with probes, a shutdown that drains, and nothing that outlives it.
package servers

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

const (
	// DefaultReadHeaderTimeout stands in for a ReadHeaderTimeout of zero. It is
	// what controller-runtime gives its own servers.
	DefaultReadHeaderTimeout = 32 * time.Second

	// DefaultGrace stands in for a Grace of zero. It is how long a
	// controller-runtime manager waits for what it runs.
	DefaultGrace = 30 * time.Second
)

// Server is one HTTP server for Serve. NewAPI and NewMetrics make one with a
// Handler; a literal with your own Handler works too, and so does a handler of yours around
// theirs, as in api.Handler = logged(api.Handler). All fields may be set until the Server is
// handed to Serve, and a Server is served once. No duration is negative.
type Server struct {
	Name     string       // its errors begin with it, as in "api: …"; several may have the same
	Addr     string       // where to listen, as net.Listen("tcp", Addr) understands it
	Listener net.Listener // if not nil, it is served and Addr is not looked at; Serve always closes it, perhaps more than once
	Handler  http.Handler // answers the requests; not nil

	// ReadHeaderTimeout is how long a client may take to send the header of a
	// request; after that its connection is closed. It bounds neither the body
	// nor the answer. Zero means DefaultReadHeaderTimeout.
	ReadHeaderTimeout time.Duration

	// Delay is how long the server goes on as before once shutdown has begun, so
	// that load balancers can see /readyz and send their clients elsewhere. Zero
	// means no delay.
	Delay time.Duration

	// Grace is how long requests may take to end once the delay is over. Zero
	// means DefaultGrace.
	Grace time.Duration
}

// Serve runs the servers side by side until ctx is done or one of them fails,
// then shuts all of them down and returns when the last has ended. No goroutine
// of its own outlives it. With no servers it returns nil at once.
//
// Serve first listens for every server and serves only when all of them are
// listening. If one can't listen, Serve closes every listener, those it was given
// too, and returns that error. (If several can't, it is the error of any of them.)
//
// A server keeps a connection open for its client's next request, as net/http does. (It may
// close one that has waited for a minute, and one on which a handler panicked.)
//
// Shutdown begins when ctx is done or when a server fails, which is when its
// listener's Accept fails for good, also if somebody else has closed the listener. (After
// an error that says of itself that it is Temporary, net/http calls Accept again.) All
// servers go through it side by side, the one that failed included, each with its own
// Delay and Grace:
//
//  1. At once, /readyz of every server made by NewAPI turns 503. Nothing else
//     changes during Delay: new connections and requests are served as before. (A server
//     that failed gets no new connections; it serves those it has, request after request.)
//  2. After Delay the listener is closed, so that new connections are refused, and
//     connections that wait for their next request are closed. After the listener,
//     and not before, the contexts of all requests are cancelled: a stream ends then,
//     and its client is refused when it comes back at once.
//  3. Requests under way may take Grace to end and get their whole answer. The server
//     ends soon after the last of them. (A client that has connected and not yet sent a
//     whole header may delay that for some seconds: net/http waits for it. If it still
//     does when Grace is over, Serve may return nil or the error of step 4.)
//  4. When Grace is over, connections that still carry a request are closed. A
//     handler that goes on all the same is not waited for. (A request that ends in
//     the last second of Grace may count as one that did not end: Shutdown of net/http
//     polls its connections, at most half a second apart.)
//
// The context of a request carries the values of ctx. It is cancelled when its client
// goes away, when its handler returns, and in step 2; the end of ctx alone does not cancel
// it.
//
// Serve returns nil if ctx ended the servers and every request ended within its
// grace: that net/http's Serve returns http.ErrServerClosed after a Shutdown is no
// failure. (What follows if a listener's Accept returns http.ErrServerClosed itself is left
// open.) If a server failed, Serve returns the error of the one that failed first, even if
// others fail or run out of grace later, or ctx ends. (If a server had run out of grace
// before the first failure, Serve may return the error of that one instead. If ctx had ended
// before the first failure, Serve may return nil.)
// If no server failed and one ran out of grace, Serve returns an error that wraps
// context.DeadlineExceeded. Every error wraps its cause and begins with the Name of its
// server and a colon. Whether an error of a listener's Close is returned is left open.
//
// If ctx is done before Serve is called, Serve closes the listeners that it was given
// and returns nil at once; it neither listens nor serves. If ctx ends later, while Serve
// listens, say, that is a shutdown as above.
func Serve(ctx context.Context, servers ...Server) error {
	panic(kit.TODO("Serve"))
}
