//go:build ignore

// Mistake: A delete writes no object, so it is given no version: a watcher cannot say that it has seen it.
// Killed by: versions-rise-store-wide
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) commit(what kit.EventType, k key, obj T) {
	if what != kit.Deleted {
		s.version++
	}
	obj.SetResourceVersion(format(s.version))
	if what == kit.Deleted {
		delete(s.objects, k)
	} else {
		s.objects[k] = obj
	}
	for _, j := range s.journals {
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}
