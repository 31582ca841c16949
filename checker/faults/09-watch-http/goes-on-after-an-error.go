//go:build ignore

// Mistake: An ERROR is delivered like any event, and the stream goes on.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import "io"

func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer close(s.result)
	defer body.Close()
	defer s.cancel()
	in := newLines(body, maxEvent)
	for {
		event, ok := s.read(in)
		if !ok || !s.send(event) {
			return
		}
	}
}
