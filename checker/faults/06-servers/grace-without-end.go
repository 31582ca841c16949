//go:build ignore

// Mistake: Shutdown is called without a deadline and waits for a handler that never ends.
// Killed by: grace-is-bounded
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
	s.ready.end()
	time.Sleep(s.Delay)
	grace := cmp.Or(s.Grace, DefaultGrace)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		return fmt.Errorf("%s: shutdown with a grace of %v: %w", s.Name, grace, err)
	}
	return nil
}
