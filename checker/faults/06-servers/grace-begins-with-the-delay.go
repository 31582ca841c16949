//go:build ignore

// Mistake: The deadline is made where the shutdown begins: the delay is taken off the grace.
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
	grace := cmp.Or(s.Grace, DefaultGrace)
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	s.ready.end()
	time.Sleep(s.Delay)
	if err := server.Shutdown(ctx); err != nil {
		server.Close() // cuts the connections; Shutdown's error is the one to tell
		return fmt.Errorf("%s: shutdown with a grace of %v: %w", s.Name, grace, err)
	}
	return nil
}
