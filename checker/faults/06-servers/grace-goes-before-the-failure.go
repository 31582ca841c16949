//go:build ignore

// Mistake: The servers that ran out of grace are asked first, so what they say hides the failure that began it all.
// Killed by: grace-is-bounded
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
	late := make([]error, len(servers)) // each has its place, so no lock
	for i, s := range servers {
		s.start(group, stop, listeners[i], &late[i])
	}
	failure := group.Wait()
	return cmp.Or(cmp.Or(late...), failure)
}

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener, late *error) {
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
		*late = s.drain(server)
		return nil
	})
}
