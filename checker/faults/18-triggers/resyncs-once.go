//go:build ignore

// Mistake: The resync is done once, when the period has passed for the first time.
// Killed by: resync-heals-within-a-period
// Verdict: wrong-answer

package triggers

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works == s.period {
		s.level.note(s.level.cluster.Keys()...)
	}
	s.level.Work()
}
