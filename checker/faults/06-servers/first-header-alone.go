//go:build ignore

// Mistake: The header is bounded from the beginning of a connection, and so only that of its first request.
// Killed by: slow-headers-are-cut-off
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
	"time"

	"golang.org/x/sync/errgroup"
)

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener) {
	requests, endRequests := context.WithCancel(context.WithoutCancel(stop))
	server := &http.Server{
		Handler:     s.Handler,
		BaseContext: func(net.Listener) context.Context { return requests },
	}
	var timers sync.Map
	server.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew {
			timers.Store(c, time.AfterFunc(cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout), func() { c.Close() }))
		} else if timer, waits := timers.LoadAndDelete(c); waits {
			timer.(*time.Timer).Stop()
		}
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
