//go:build ignore

// Mistake: The goroutine of http.Server.Serve is not waited for, since Shutdown has closed its listener: it may still
//   be at the error of a listener that failed.
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
	failed := make(chan error, 1)
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("%s: %w", s.Name, err)
		}
	}()
	group.Go(func() error {
		select {
		case err := <-failed:
			return err
		case <-stop.Done():
			return nil
		}
	})
	group.Go(func() error {
		<-stop.Done() // never in vain: the group ends stop if a server fails
		return s.drain(server)
	})
}
