//go:build ignore

// Mistake: Each object counts its own changes, so versions say nothing across objects and a recreated object
//   is at 2 again.
// Killed by: versions-rise-store-wide
// Verdict: wrong-answer

package store

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) commit(what kit.EventType, k key, obj T) {
	s.version++
	count := uint64(2)
	if old, ok := s.objects[k]; ok {
		n, _ := strconv.ParseUint(old.GetResourceVersion(), 10, 64)
		count = n + 1
	}
	obj.SetResourceVersion(format(count))
	if what == kit.Deleted {
		delete(s.objects, k)
	} else {
		s.objects[k] = obj
	}
	for _, j := range s.journals {
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}
