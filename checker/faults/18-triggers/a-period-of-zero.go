//go:build ignore

// Mistake: Nobody thinks of the period that means never.
// Killed by: no-period-no-resync
// Verdict: panic

package triggers

func (s *LevelResync) Work() {
	s.works++
	if s.works%s.period == 0 {
		s.level.note(s.level.cluster.Keys()...)
	}
	s.level.Work()
}
