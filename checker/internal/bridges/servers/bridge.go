package servers

import (
	"context"
	"net/http"
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/serverstest"
	subject "github.com/controllerbook/controllerbook/solutions/06-servers"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			Serve: func(ctx context.Context, handles ...suite.Handle) error {
				servers := make([]subject.Server, len(handles))
				for i, h := range handles {
					servers[i] = h.(subject.Server)
				}
				return subject.Serve(ctx, servers...)
			},
			Counters: func() suite.Counters { return new(subject.Counters) },
			API: func(app http.Handler, counters suite.Counters, s suite.Settings) suite.Handle {
				return with(s, subject.NewAPI(app, counters.(*subject.Counters)))
			},
			Metrics: func(counters suite.Counters, s suite.Settings) suite.Handle {
				return with(s, subject.NewMetrics(counters.(*subject.Counters)))
			},
			Plain: func(handler http.Handler, s suite.Settings) suite.Handle {
				return with(s, subject.Server{Handler: handler})
			},
			Handler: func(h suite.Handle) http.Handler { return h.(subject.Server).Handler },
			Around: func(h suite.Handle, around func(http.Handler) http.Handler) suite.Handle {
				server := h.(subject.Server)
				server.Handler = around(server.Handler)
				return server
			},
		}
	})
}

func with(s suite.Settings, server subject.Server) suite.Handle {
	if s.Name != "" {
		server.Name = s.Name
	}
	server.Addr, server.Listener = s.Addr, s.Listener
	server.ReadHeaderTimeout, server.Delay, server.Grace = s.ReadHeaderTimeout, s.Delay, s.Grace
	return server
}
