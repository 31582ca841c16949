//go:build ignore

// Mistake: Serve remembers its connections until they are closed and closes them when the grace is over: among them are
//   those that are app's own.
// Killed by: streams-flow
// Verdict: wrong-answer

package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"golang.org/x/sync/errgroup"
)

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener) {
	requests, endRequests := context.WithCancel(context.WithoutCancel(stop))
	var conns sync.Map
	server := &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout),
		BaseContext:       func(net.Listener) context.Context { return requests },
		ConnState: func(c net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				conns.Store(c, true)
			case http.StateClosed:
				conns.Delete(c)
			}
		},
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
		err := s.drain(server)
		if err == nil {
			return nil
		}
		conns.Range(func(c, _ any) bool {
			c.(net.Conn).Close()
			return true
		})
		return err
	})
}
