//go:build ignore

// Mistake: Versions are compared as numbers: an event with a lower one than the event before has been delivered already. The
//   initial events of a watch list come in another order.
// Killed by: streams-the-list
// Verdict: wrong-answer

package watchhttp

import (
	"io"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer close(s.result)
	defer body.Close()
	defer s.cancel()
	in, newest := newLines(body, maxEvent), uint64(0)
	for {
		event, ok := s.read(in)
		if ok && event.Type != kit.Error {
			version, err := strconv.ParseUint(event.Object.GetResourceVersion(), 10, 64)
			if err == nil && version < newest {
				continue
			}
			newest = version
		}
		if !ok || !s.send(event) || event.Type == kit.Error {
			return
		}
	}
}
