//go:build ignore

// Mistake: The Error for a line that is no event is sent without a look at the context: it waits for a reader
//   whom Stop has sent home.
// Killed by: nonsense-ends-with-an-error
// Verdict: goroutine-leak

package watchhttp

import (
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer close(s.result)
	defer body.Close()
	defer s.cancel()
	in := newLines(body, maxEvent)
	for {
		event, ok := s.read(in)
		if ok && event.Type == kit.Error {
			s.result <- event
			return
		}
		if !ok || !s.send(event) {
			return
		}
	}
}
