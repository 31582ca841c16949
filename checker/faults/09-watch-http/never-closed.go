//go:build ignore

// Mistake: The goroutine ends and the ResultChan stays open: its reader waits for an end that never comes.
// Killed by: client-watches
// Verdict: wrong-answer

package watchhttp

import (
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer body.Close()
	defer s.cancel()
	in := newLines(body, maxEvent)
	for {
		event, ok := s.read(in)
		if !ok || !s.send(event) || event.Type == kit.Error {
			return
		}
	}
}
