//go:build ignore

// Mistake: Stop sets a flag that is looked at between two events: a watch of a quiet namespace never looks.
// Killed by: stop-releases-everything
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type stream[T kit.Object] struct {
	typ     kit.Type[T]
	ctx     context.Context
	cancel  context.CancelFunc
	result  chan kit.Event[T]
	stopped atomic.Bool
}

func (s *stream[T]) Stop() { s.stopped.Store(true) }

func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer close(s.result)
	defer body.Close()
	defer s.cancel()
	in := newLines(body, maxEvent)
	for {
		event, ok := s.read(in)
		if !ok || s.stopped.Load() || !s.send(event) || event.Type == kit.Error {
			return
		}
	}
}
