//go:build ignore

// Mistake: Stop closes the ResultChan itself, while the goroutine is sending to it (kubernetes#108080).
// Killed by: stop-releases-everything
// Verdict: panic

package watchhttp

import (
	"context"
	"io"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type stream[T kit.Object] struct {
	typ    kit.Type[T]
	ctx    context.Context
	cancel context.CancelFunc
	result chan kit.Event[T]
	once   sync.Once
}

func (s *stream[T]) Stop() {
	s.once.Do(func() { close(s.result) })
	s.cancel()
}

func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer s.once.Do(func() { close(s.result) })
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
