//go:build ignore

// Mistake: Removing looks for the handler, and one that was added twice loses both of its registrations.
// Killed by: remove-handler
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
	if !slices.Contains(s.listeners, l) {
		return nil
	}
	s.listeners = slices.DeleteFunc(s.listeners, func(other *listener[T]) bool {
		if other != l && !same(other.handler, l.handler) {
			return false
		}
		if s.started {
			other.stop()
		} else {
			other.neverRun()
		}
		return true
	})
	return nil
}

// same is false for handlers that cannot be compared.
func same(a, b any) (yes bool) {
	defer func() { _ = recover() }()
	return a == b
}
