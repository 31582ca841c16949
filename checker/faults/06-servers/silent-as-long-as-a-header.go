//go:build ignore

// Mistake: A connection that waits for its next request gets as long as the header of a request may take.
// Killed by: slow-headers-are-cut-off
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
		IdleTimeout:       s.ReadHeaderTimeout,
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
		<-stop.Done()
		return s.drain(server)
	})
}
