//go:build ignore

// Mistake: A caller that sets a deadline for Serve is taken to mean each request, too: those under way end with it, delay or not.
// Killed by: streams-end-with-the-shutdown
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
	if end, ok := stop.Deadline(); ok {
		requests, endRequests = context.WithDeadline(requests, end)
	}
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
		<-stop.Done()
		return s.drain(server)
	})
}
