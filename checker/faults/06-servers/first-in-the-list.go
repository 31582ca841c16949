//go:build ignore

// Mistake: Each server has its place for an error, and the first place that is not empty is taken for the first failure.
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
	errs := make([]error, len(servers))
	for i, s := range servers {
		s.start(group, stop, listeners[i], &errs[i])
	}
	err = group.Wait()
	for _, failed := range errs {
		if failed != nil {
			return failed
		}
	}
	return err
}

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener, failed *error) {
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
		*failed = fmt.Errorf("%s: %w", s.Name, err)
		return *failed
	})
	group.Go(func() error {
		<-stop.Done()
		return s.drain(server)
	})
}
