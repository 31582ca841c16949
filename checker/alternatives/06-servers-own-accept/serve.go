// Package servers is lab 06 with a listener of its own: Serve closes it itself, knows by
// a flag whether Accept ended because of that, and cancels the requests then. /readyz
// finds the end of the process in the context of its request.
package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	// DefaultReadHeaderTimeout stands in for a ReadHeaderTimeout of zero. It is
	// what controller-runtime gives its own servers.
	DefaultReadHeaderTimeout = 32 * time.Second

	// DefaultGrace stands in for a Grace of zero. It is how long a
	// controller-runtime manager waits for what it runs.
	DefaultGrace = 30 * time.Second
)

// Server is one HTTP server for Serve.
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

// Serve runs the servers side by side until ctx is done or one of them fails, then shuts
// all of them down and returns when the last has ended.
func Serve(ctx context.Context, servers ...Server) error {
	if len(servers) == 0 {
		return nil
	}
	done := ctx.Err() != nil
	gates := make([]*gate, 0, len(servers))
	var cant error
	for i := range servers {
		l := servers[i].Listener
		if l == nil {
			if done || cant != nil {
				continue
			}
			var err error
			if l, err = net.Listen("tcp", servers[i].Addr); err != nil {
				cant = fmt.Errorf("%s: %w", servers[i].Name, err)
				continue
			}
		}
		gates = append(gates, &gate{Listener: l})
	}
	if done || cant != nil {
		for _, g := range gates {
			_ = g.Close()
		}
		return cant
	}

	stopping, stop := context.WithCancel(ctx)
	defer stop()
	failures := make(chan error, len(servers))
	ends := make(chan error, len(servers))
	for i, s := range servers {
		go func() { ends <- run(ctx, stopping, stop, s, gates[i], failures) }()
	}
	var late error
	for range servers {
		late = errors.Join(late, <-ends)
	}
	select {
	case err := <-failures:
		return err
	default:
		return late
	}
}

// gate is a listener that knows whether Serve has closed it.
type gate struct {
	net.Listener
	shut atomic.Bool
}

var errShut = errors.New("shut")

func (g *gate) Accept() (net.Conn, error) {
	c, err := g.Listener.Accept()
	if err != nil && g.shut.Load() {
		err = errShut
	}
	return c, err
}

func (g *gate) Close() error {
	if g.shut.Swap(true) {
		return nil
	}
	return g.Listener.Close()
}

// run is one server from beginning to end.
func run(ctx, stopping context.Context, stop func(), s Server, g *gate, failures chan<- error) error {
	base, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), stoppingKey{}, stopping))
	defer cancel()
	hs := &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: s.ReadHeaderTimeout,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    1 << 20,
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	if hs.ReadHeaderTimeout == 0 {
		hs.ReadHeaderTimeout = DefaultReadHeaderTimeout
	}
	grace := s.Grace
	if grace == 0 {
		grace = DefaultGrace
	}
	accepting := make(chan struct{})
	go func() {
		defer close(accepting)
		if err := hs.Serve(g); !errors.Is(err, errShut) && !errors.Is(err, http.ErrServerClosed) {
			failures <- fmt.Errorf("%s: %w", s.Name, err)
			stop()
		}
	}()
	<-stopping.Done()
	if s.Delay > 0 {
		<-time.After(s.Delay)
	}
	deadline := time.Now().Add(grace)
	hs.SetKeepAlivesEnabled(false)
	_ = g.Close()
	<-accepting
	cancel()
	limit, release := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	defer release()
	if err := hs.Shutdown(limit); err != nil {
		_ = hs.Close()
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}
