//go:build ignore

// Mistake: A server without a Delay need not turn /readyz, since nobody new can ask.
// Killed by: readyz-turns-first
// Verdict: wrong-answer

package servers

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"
)

func (s Server) drain(server *http.Server) error {
	if s.Delay > 0 {
		s.ready.end()
		time.Sleep(s.Delay)
	}
	grace := cmp.Or(s.Grace, DefaultGrace)
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		return fmt.Errorf("%s: shutdown with a grace of %v: %w", s.Name, grace, err)
	}
	return nil
}
