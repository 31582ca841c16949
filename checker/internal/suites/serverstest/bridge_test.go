package serverstest

import (
	"context"
	"net/http"
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/06-servers"
)

func TestCases(t *testing.T) {
	conform.Run(t, cases(), func() Subject {
		return Subject{
			Serve: func(ctx context.Context, handles ...Handle) error {
				servers := make([]subject.Server, len(handles))
				for i, h := range handles {
					servers[i] = h.(subject.Server)
				}
				return subject.Serve(ctx, servers...)
			},
			Counters: func() Counters { return new(subject.Counters) },
			API: func(app http.Handler, counters Counters, s Settings) Handle {
				return with(s, subject.NewAPI(app, counters.(*subject.Counters)))
			},
			Metrics: func(counters Counters, s Settings) Handle {
				return with(s, subject.NewMetrics(counters.(*subject.Counters)))
			},
			Plain: func(handler http.Handler, s Settings) Handle {
				return with(s, subject.Server{Handler: handler})
			},
			Handler: func(h Handle) http.Handler { return h.(subject.Server).Handler },
		}
	})
}

func with(s Settings, server subject.Server) Handle {
	if s.Name != "" {
		server.Name = s.Name
	}
	server.Addr, server.Listener = s.Addr, s.Listener
	server.ReadHeaderTimeout, server.Delay, server.Grace = s.ReadHeaderTimeout, s.Delay, s.Grace
	return server
}
