//go:build ignore

// Mistake: The goroutine returns and leaves the answer open: the server goes on with a watch that nobody
//   reads.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import (
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer close(s.result)
	in := newLines(body, maxEvent)
	for {
		event, ok := s.read(in)
		if !ok || !s.send(event) || event.Type == kit.Error {
			return
		}
	}
}
