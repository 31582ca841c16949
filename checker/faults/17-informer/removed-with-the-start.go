//go:build ignore

// Mistake: What was removed before Run is taken off the list when Run begins: until then the informer keeps the handler.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

import (
	"errors"
	"slices"
	"time"

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
	if i < 0 || l.isFinished() {
		return nil
	}
	if s.started {
		s.listeners = slices.Delete(s.listeners, i, i+1)
		l.stop()
	} else {
		l.neverRun()
	}
	return nil
}

func (s *SharedInformer[T]) start() (checkPeriod time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return 0, false
	}
	s.started = true
	s.listeners = slices.DeleteFunc(s.listeners, (*listener[T]).isFinished)
	for _, l := range s.listeners {
		s.running.Go(l.run)
	}
	return s.checkPeriod, true
}

func (l *listener[T]) isFinished() bool {
	select {
	case <-l.finished:
		return true
	default:
		return false
	}
}
