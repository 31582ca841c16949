//go:build ignore

// Mistake: RemoveEventHandler lets go of the lock between looking for the handler and removing it, so that
//   two calls find it and both close its ShutdownChan.
// Killed by: stop-in-a-storm
// Verdict: panic

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
	s.mu.Unlock()
	s.mu.Lock()
	s.listeners = slices.DeleteFunc(s.listeners, func(other *listener[T]) bool { return other == l })
	if s.started {
		l.stop()
	} else {
		l.neverRun()
	}
	return nil
}
