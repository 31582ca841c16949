//go:build ignore

// Mistake: /readyz turns with the listener, after the delay that was there for it to be seen.
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
	time.Sleep(s.Delay)
	s.ready.end()
	grace := cmp.Or(s.Grace, DefaultGrace)
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		return fmt.Errorf("%s: shutdown with a grace of %v: %w", s.Name, grace, err)
	}
	return nil
}
