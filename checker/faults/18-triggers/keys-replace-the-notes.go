//go:build ignore

// Mistake: The resync reads the notes, calls Keys, and writes both back. What was noted during Keys is gone.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works%s.period == 0 {
		all := s.level.take()
		for _, key := range s.level.cluster.Keys() {
			all[key] = true
		}
		s.level.mu.Lock()
		s.level.noted = all
		s.level.mu.Unlock()
	}
	s.level.Work()
}
