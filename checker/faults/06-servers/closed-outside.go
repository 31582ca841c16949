//go:build ignore

// Mistake: net.ErrClosed is what a listener says after Close, so it is taken for a clean end, also where somebody else closed the listener.
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
		err := server.Serve(l)
		if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
			return nil
		}
		return fmt.Errorf("%s: %w", s.Name, err)
	})
	group.Go(func() error {
		<-stop.Done()
		return s.drain(server)
	})
}
