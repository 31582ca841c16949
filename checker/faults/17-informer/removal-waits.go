//go:build ignore

// Mistake: RemoveEventHandler waits until the handler was called for the last time. A handler that removes
//   itself waits for itself.
// Killed by: handler-calls-the-informer
// Verdict: deadlock

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
	s.listeners = slices.Delete(s.listeners, i, i+1)
	if s.started {
		l.stop()
		<-l.finished
	} else {
		l.neverRun()
	}
	return nil
}
