//go:build ignore

// Mistake: A resync adds its keys to a copy of the notes, and puts it in their place: what was noted meanwhile is lost.
// Killed by: notes-from-any-goroutine
// Verdict: wrong-answer

package triggers

import "maps"

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works%s.period == 0 {
		keys := s.level.cluster.Keys()
		s.level.mu.Lock()
		noted := maps.Clone(s.level.noted)
		s.level.mu.Unlock()
		for _, key := range keys {
			noted[key] = true
		}
		s.level.mu.Lock()
		s.level.noted = noted
		s.level.mu.Unlock()
	}
	s.level.Work()
}
