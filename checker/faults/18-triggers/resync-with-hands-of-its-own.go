//go:build ignore

// Mistake: The resync reconciles by itself, and then Work looks at what was noted once more.
// Killed by: resync-in-peace-only-reads
// Verdict: wrong-answer

package triggers

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works%s.period == 0 {
		for _, key := range s.level.cluster.Keys() {
			if s.level.reconcile(key) != nil {
				s.level.note(key)
			}
		}
	}
	s.level.Work()
}
