//go:build ignore

// Mistake: The error of Shutdown is dropped: nobody learns that requests were cut off.
// Killed by: grace-is-bounded
// Verdict: wrong-answer

package servers

import (
	"cmp"
	"context"
	"net/http"
	"time"
)

func (s Server) drain(server *http.Server) error {
	s.ready.end()
	time.Sleep(s.Delay)
	grace := cmp.Or(s.Grace, DefaultGrace)
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		return nil
	}
	return nil
}
