//go:build ignore

// Mistake: Streams are ended when all servers have closed their listeners, so that nobody comes back to any of them.
//   Those of a server with a short Delay wait for the longest.
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
	"sync"

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
	var doors sync.WaitGroup
	doors.Add(len(servers))
	for i, s := range servers {
		s.start(group, stop, listeners[i], &doors)
	}
	return group.Wait()
}

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener, doors *sync.WaitGroup) {
	requests, endRequests := context.WithCancel(context.WithoutCancel(stop))
	server := &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	server.RegisterOnShutdown(func() {
		doors.Done()
		doors.Wait()
		endRequests()
	})
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
