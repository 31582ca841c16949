//go:build ignore

// Mistake: The count begins at zero and the resync comes one step late each time.
// Killed by: resync-heals-within-a-period
// Verdict: wrong-answer

package triggers

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works%(s.period+1) == 0 {
		s.level.note(s.level.cluster.Keys()...)
	}
	s.level.Work()
}
