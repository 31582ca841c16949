// Package servers is lab 06: an API server and a metrics server side by side in
// one process, with probes, a shutdown that drains, and nothing that outlives it.
package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
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
// handed to Serve, and a Server is served once.
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

	ready *readiness // shared with the handler of /readyz; nil where there is none
}

// Serve runs the servers side by side until ctx is done or one of them fails,
// then shuts all of them down. The stub's documentation is the contract.
//
// Each server has two goroutines in one errgroup: one serves, one waits for stop
// and then drains. The group's context is all that ties the servers together: it
// is done when ctx is, and when the first of these goroutines returns an error.
// The group keeps that first error and no other, and its Wait comes back only when
// the last drain has ended.
//
// It is tempting to return when http.Server.Serve has. But that one returns as
// soon as Shutdown has closed the listener, when the drain has only begun: who
// returns from main then cuts off every request under way.
func Serve(ctx context.Context, servers ...Server) error {
	if ctx.Err() != nil {
		closeAll(given(servers))
		return nil
	}
	listeners, err := listen(servers)
	if err != nil {
		return err
	}
	group, stop := errgroup.WithContext(ctx)
	for i, s := range servers {
		s.start(group, stop, listeners[i])
	}
	return group.Wait()
}

// given returns the listener of each server, nil where it brings none.
func given(servers []Server) []net.Listener {
	listeners := make([]net.Listener, len(servers))
	for i, s := range servers {
		listeners[i] = s.Listener
	}
	return listeners
}

// listen opens the listeners of all servers, or none.
func listen(servers []Server) ([]net.Listener, error) {
	listeners := given(servers)
	for i, s := range servers {
		if listeners[i] != nil {
			continue
		}
		l, err := net.Listen("tcp", s.Addr)
		if err != nil {
			closeAll(listeners)
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		listeners[i] = l
	}
	return listeners, nil
}

func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		if l != nil {
			l.Close() // its error would only hide the one that brought us here
		}
	}
}

// start adds the server's two goroutines to the group.
//
// Requests live in a context of their own. Were it stop, a rollout would cancel
// every request before its delay and its grace had begun; so it has stop's
// values but not its end. RegisterOnShutdown ends it when Shutdown has closed the
// listener: ended any earlier, the clients of streams would be back before the door
// is shut, get a context that is done already, and come back again.
func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener) {
	requests, endRequests := context.WithCancel(context.WithoutCancel(stop))
	server := &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	server.RegisterOnShutdown(endRequests)
	group.Go(func() error {
		err := server.Serve(l)
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return fmt.Errorf("%s: %w", s.Name, err)
	})
	group.Go(func() error {
		<-stop.Done() // never in vain: the group ends stop if a server fails
		return s.drain(server)
	})
}

// drain takes one server through its shutdown.
//
// The deadline is a fresh one: stop is done already, and a Shutdown that is given
// a context that is done gives nobody any grace.
func (s Server) drain(server *http.Server) error {
	s.ready.end()
	time.Sleep(s.Delay)
	grace := cmp.Or(s.Grace, DefaultGrace)
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close() // cuts the connections; Shutdown's error is the one to tell
		return fmt.Errorf("%s: shutdown with a grace of %v: %w", s.Name, grace, err)
	}
	return nil
}
