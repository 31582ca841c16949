//go:build ignore

// Mistake: A listener is cut out with append, and the slot behind the end of the slice keeps the last one, with its handler
//   and all that the handler refers to.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

import (
	"errors"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *SharedInformer[T]) RemoveEventHandler(registration kit.Registration) error {
	l, ok := registration.(*listener[T])
	if !ok {
		return errors.New("informer: not a registration of an informer of this type")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.listeners, l)
	if i < 0 {
		return nil
	}
	s.listeners = append(s.listeners[:i], s.listeners[i+1:]...)
	if s.started {
		l.stop()
	} else {
		l.neverRun()
	}
	return nil
}
