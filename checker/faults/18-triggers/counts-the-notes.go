//go:build ignore

// Mistake: A resync notes nothing if as many apps are noted as Keys returns: it compares numbers, not keys.
// Killed by: resync-in-peace-only-reads
// Verdict: wrong-answer

package triggers

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works%s.period == 0 {
		keys := s.level.cluster.Keys()
		s.level.mu.Lock()
		all := len(s.level.noted) == len(keys)
		s.level.mu.Unlock()
		if !all {
			s.level.note(keys...)
		}
	}
	s.level.Work()
}
