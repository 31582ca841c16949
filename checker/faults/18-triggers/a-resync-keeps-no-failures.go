//go:build ignore

// Mistake: A write that fails in a resync is left to the next resync: only an app that an event has named stays
//   noted.
// Killed by: failed-write-is-tried-again
// Verdict: wrong-answer

package triggers

import "maps"

func (s *LevelResync) Work() {
	s.works++
	if s.period <= 0 || s.works%s.period != 0 {
		s.level.Work()
		return
	}
	named := s.level.take()
	all := maps.Clone(named)
	for _, key := range s.level.cluster.Keys() {
		all[key] = true
	}
	for key := range all {
		if err := s.level.reconcile(key); err != nil && named[key] {
			s.level.note(key)
		}
	}
}
