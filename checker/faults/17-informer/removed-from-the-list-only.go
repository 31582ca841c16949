//go:build ignore

// Mistake: A removed handler hears of nothing more, but its goroutine waits for ever (client-go#1167).
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
	i := slices.Index(s.listeners, l)
	if i < 0 {
		return nil
	}
	s.listeners = slices.Delete(s.listeners, i, i+1)
	if !s.started {
		l.neverRun()
	}
	return nil
}
