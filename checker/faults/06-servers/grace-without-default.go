//go:build ignore

// Mistake: Grace is taken as it is: a Server that sets none gives none.
// Killed by: grace-is-bounded
// Verdict: wrong-answer

package servers

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

func (s Server) drain(server *http.Server) error {
	s.ready.end()
	time.Sleep(s.Delay)
	grace := s.Grace
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		return fmt.Errorf("%s: shutdown with a grace of %v: %w", s.Name, grace, err)
	}
	return nil
}
