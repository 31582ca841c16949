//go:build ignore

// Mistake: An app that Keys does not return is gone: a resync forgets that its Scale failed.
// Killed by: failed-write-is-tried-again
// Verdict: wrong-answer

package triggers

import "slices"

func (s *LevelResync) Work() {
	s.works++
	if s.period <= 0 || s.works%s.period != 0 {
		s.level.Work()
		return
	}
	keys := s.level.cluster.Keys()
	s.level.note(keys...)
	for key := range s.level.take() {
		if err := s.level.reconcile(key); err != nil && slices.Contains(keys, key) {
			s.level.note(key)
		}
	}
}
