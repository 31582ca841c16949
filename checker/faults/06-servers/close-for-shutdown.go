//go:build ignore

// Mistake: Close is taken for the way to stop a server; it cuts every connection.
// Killed by: in-flight-requests-finish
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
	_, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Close(); err != nil {
		server.Close()
		return fmt.Errorf("%s: shutdown with a grace of %v: %w", s.Name, grace, err)
	}
	return nil
}
