//go:build ignore

// Mistake: An Accept that has failed for a moment ten times in a row is taken for one that fails for good.
// Killed by: one-failure-stops-all
// Verdict: wrong-answer

package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"golang.org/x/sync/errgroup"
)

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener) {
	requests, endRequests := context.WithCancel(context.WithoutCancel(stop))
	server := &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	server.RegisterOnShutdown(endRequests)
	group.Go(func() error {
		err := server.Serve(&impatient{Listener: l})
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return fmt.Errorf("%s: %w", s.Name, err)
	})
	group.Go(func() error {
		<-stop.Done()
		return s.drain(server)
	})
}

// impatient counts the failures in a row. net/http calls Accept in one goroutine.
type impatient struct {
	net.Listener
	failures int
}

func (i *impatient) Accept() (net.Conn, error) {
	conn, err := i.Listener.Accept()
	if err == nil {
		i.failures = 0
		return conn, nil
	}
	if i.failures++; i.failures > 10 {
		return nil, fmt.Errorf("too many failures in a row: %w", err)
	}
	return nil, err
}
