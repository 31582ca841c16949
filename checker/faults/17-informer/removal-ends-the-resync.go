//go:build ignore

// Mistake: The removal of a handler takes back what is due for all: of a resync that is under way the others
//   hear only a part.
// Killed by: resync-per-handler
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
	for _, other := range s.listeners {
		other.syncing = false
	}
	if s.started {
		l.stop()
	} else {
		l.neverRun()
	}
	return nil
}
