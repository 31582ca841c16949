//go:build ignore

// Mistake: Where a thousand apps are noted there is enough to do, and the resync is left out.
// Killed by: resync-heals-within-a-period
// Verdict: wrong-answer

package triggers

func (s *LevelResync) Work() {
	s.works++
	s.level.mu.Lock()
	busy := len(s.level.noted) >= 1000
	s.level.mu.Unlock()
	if s.period > 0 && s.works%s.period == 0 && !busy {
		s.level.note(s.level.cluster.Keys()...)
	}
	s.level.Work()
}
