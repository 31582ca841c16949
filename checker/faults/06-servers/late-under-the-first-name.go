//go:build ignore

// Mistake: The error of a server that runs out of grace begins with the Name of the first server: that is the API,
//   and the one that has requests.
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
	"time"

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
	for i, s := range servers {
		s.start(group, stop, listeners[i], servers[0].Name)
	}
	return group.Wait()
}

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener, first string) {
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
	group.Go(func() error {
		<-stop.Done()
		return s.drain(server, first)
	})
}

func (s Server) drain(server *http.Server, first string) error {
	s.ready.end()
	time.Sleep(s.Delay)
	grace := cmp.Or(s.Grace, DefaultGrace)
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		return fmt.Errorf("%s: shutdown with a grace of %v: %w", first, grace, err)
	}
	return nil
}
