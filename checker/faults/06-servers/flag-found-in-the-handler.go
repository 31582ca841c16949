//go:build ignore

// Mistake: Serve finds the flag of /readyz by the type of the Handler: a caller who puts a handler around it, to log
//   requests, leaves a /readyz that never turns.
// Killed by: readyz-turns-first
// Verdict: wrong-answer

package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"golang.org/x/sync/errgroup"
)

type apiHandler struct {
	http.Handler
	ready *readiness
}

func NewAPI(app http.Handler, counters *Counters) Server {
	ready := new(readiness)
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "ok") // alive, and that is all: who is draining must not be restarted
	})
	mux.Handle("/readyz", ready)
	mux.Handle("/", counted(app, counters))
	return Server{Name: "api", Handler: &apiHandler{mux, ready}}
}

func (s Server) start(group *errgroup.Group, stop context.Context, l net.Listener) {
	if h, ok := s.Handler.(*apiHandler); ok {
		s.ready = h.ready
	}
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
		<-stop.Done() // never in vain: the group ends stop if a server fails
		return s.drain(server)
	})
}
