//go:build ignore

// Mistake: The flag of /readyz is taken back when the delay is over, since nobody can ask then. A request that is under way
//   can.
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
	s.ready.end()
	time.Sleep(s.Delay)
	if s.ready != nil {
		s.ready.over.Store(false)
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
