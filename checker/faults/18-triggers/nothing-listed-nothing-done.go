//go:build ignore

// Mistake: A resync that finds no apps returns at once, and does not look at what was noted.
// Killed by: resync-heals-within-a-period
// Verdict: wrong-answer

package triggers

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works%s.period == 0 {
		keys := s.level.cluster.Keys()
		if len(keys) == 0 {
			return
		}
		s.level.note(keys...)
	}
	s.level.Work()
}
