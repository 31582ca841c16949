//go:build ignore

// Mistake: RemoveEventHandler stops whatever handler it is given, also one of another informer.
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
	s.listeners = slices.DeleteFunc(s.listeners, func(other *listener[T]) bool { return other == l })
	select {
	case <-l.gone:
	case <-l.finished:
	default:
		if s.started {
			l.stop()
		} else {
			l.neverRun()
		}
	}
	return nil
}
