// Package servers is lab 06 without an errgroup: a WaitGroup counts the goroutines, a
// sync.Once keeps the first failure, and each server's drain leaves its error in a slot
// of its own. No ServeMux looks at the paths.
package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
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

	draining *atomic.Bool // set when shutdown begins; nil where nobody asks
}

// Serve runs the servers side by side until ctx is done or one of them fails, then shuts
// all of them down and returns when the last has ended.
func Serve(ctx context.Context, servers ...Server) error {
	if ctx.Err() != nil {
		for _, s := range servers {
			if s.Listener != nil {
				_ = s.Listener.Close()
			}
		}
		return nil
	}
	listeners, err := listen(servers)
	if err != nil {
		return err
	}

	stopping, stop := context.WithCancel(ctx)
	defer stop()
	var (
		wg      sync.WaitGroup
		once    sync.Once
		failure error                         // of the server that failed first
		late    = make([]error, len(servers)) // of those that ran out of grace
	)
	for i, s := range servers {
		running := newServer(ctx, s)
		wg.Go(func() {
			if err := running.Serve(listeners[i]); !errors.Is(err, http.ErrServerClosed) {
				once.Do(func() { failure = fmt.Errorf("%s: accept: %w", s.Name, err) })
				stop()
			}
		})
		wg.Go(func() {
			<-stopping.Done()
			if s.draining != nil {
				s.draining.Store(true)
			}
			late[i] = running.drain(s)
		})
	}
	wg.Wait()
	return cmp.Or(failure, cmp.Or(late...))
}

// listen listens for all servers or for none.
func listen(servers []Server) ([]net.Listener, error) {
	listeners := make([]net.Listener, len(servers))
	var failure error
	for i, s := range servers {
		listeners[i] = s.Listener
		if s.Listener != nil || failure != nil {
			continue
		}
		l, err := net.Listen("tcp", s.Addr)
		if err != nil {
			failure = fmt.Errorf("%s: %w", s.Name, err)
			continue
		}
		listeners[i] = l
	}
	if failure == nil {
		return listeners, nil
	}
	for _, l := range listeners {
		if l != nil {
			_ = l.Close()
		}
	}
	return nil, failure
}

// server is an http.Server whose requests live in a context of their own.
type server struct {
	http.Server
	cancelled chan struct{} // closed when the contexts of the requests have been cancelled
}

func newServer(ctx context.Context, s Server) *server {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	out := &server{cancelled: make(chan struct{})}
	out.Handler = s.Handler
	out.ReadHeaderTimeout = cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout)
	out.BaseContext = func(net.Listener) context.Context { return requests }
	// Shutdown calls it once the listener is closed.
	out.RegisterOnShutdown(func() {
		cancel()
		close(out.cancelled)
	})
	return out
}

// drain takes the server through its shutdown.
func (s *server) drain(config Server) error {
	time.Sleep(config.Delay) // nothing can cut it short: ctx is done already
	grace, cancel := context.WithTimeout(context.Background(), cmp.Or(config.Grace, DefaultGrace))
	defer cancel()
	err := s.Shutdown(grace)
	<-s.cancelled
	if err == nil {
		return nil
	}
	_ = s.Close()
	return fmt.Errorf("%s: shutdown: %w", config.Name, err)
}
