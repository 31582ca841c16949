//go:build ignore

// Mistake: A server whose listener is lost can get no new clients, so its Delay is skipped; its streams end at once.
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
	server := &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	server.RegisterOnShutdown(endRequests)
	failed := make(chan error, 1)
	group.Go(func() error {
		err := server.Serve(l)
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		err = fmt.Errorf("%s: %w", s.Name, err)
		failed <- err
		return err
	})
	group.Go(func() error {
		<-stop.Done()
		if len(failed) > 0 {
			s.Delay = 0
		}
		return s.drain(server)
	})
}
