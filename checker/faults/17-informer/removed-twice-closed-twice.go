//go:build ignore

// Mistake: Removing is closing a channel, and nobody looks whether that was done before.
// Killed by: remove-handler
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
	if i >= 0 {
		s.listeners = slices.Delete(s.listeners, i, i+1)
	}
	if s.started {
		l.stop()
	} else {
		l.neverRun()
	}
	return nil
}
