//go:build ignore

// Mistake: The servers are shut down in a loop, each when the one before has drained.
// Killed by: drains-side-by-side
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
	var drains []func() error
	for i, s := range servers {
		drains = append(drains, s.start(group, stop, listeners[i]))
	}
	for _, drain := range drains {
		if err := drain(); err != nil {
			return err
		}
	}
	return group.Wait()
}

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener) func() error {
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
	return func() error {
		<-stop.Done()
		return s.drain(server)
	}
}
