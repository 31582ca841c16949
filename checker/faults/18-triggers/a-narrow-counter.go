//go:build ignore

// Mistake: The Works are counted in sixteen bits, which is plenty.
// Killed by: resync-heals-within-a-period
// Verdict: wrong-answer

package triggers

type LevelResync struct {
	level  *Level
	period int
	works  uint16
}

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && int(s.works)%s.period == 0 {
		s.level.note(s.level.cluster.Keys()...)
	}
	s.level.Work()
}
