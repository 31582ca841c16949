//go:build ignore

// Mistake: Every failure overwrites the error: what is returned is the echo, not the cause.
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
	errs := make(chan error, len(servers))
	for i, s := range servers {
		s.start(group, stop, listeners[i], errs)
	}
	err = group.Wait()
	close(errs)
	for err = range errs {
	}
	return err
}

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener, errs chan<- error) {
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
		err = fmt.Errorf("%s: %w", s.Name, err)
		errs <- err
		return err
	})
	group.Go(func() error {
		<-stop.Done()
		return s.drain(server)
	})
}
