//go:build ignore

// Mistake: A delete is committed to the first two journals, and the others do not get it.
// Killed by: journals-are-told
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) commit(what kit.EventType, k key, obj T) {
	s.version++
	obj.SetResourceVersion(format(s.version))
	journals := s.journals
	if what == kit.Deleted {
		delete(s.objects, k)
		journals = journals[:min(2, len(journals))]
	} else {
		s.objects[k] = obj
	}
	for _, j := range journals {
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}
