//go:build ignore

// Mistake: LevelResync remembers each app that Keys has ever returned, and looks at all of them in each resync.
// Killed by: resync-in-peace-only-reads
// Verdict: wrong-answer

package triggers

type LevelResync struct {
	level  *Level
	period int
	works  int
	known  map[string]bool
}

func NewLevelResync(cluster Cluster, period int) *LevelResync {
	return &LevelResync{level: NewLevel(cluster), period: period, known: map[string]bool{}}
}

func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works%s.period == 0 {
		for _, key := range s.level.cluster.Keys() {
			s.known[key] = true
		}
		for key := range s.known {
			s.level.note(key)
		}
	}
	s.level.Work()
}
