//go:build ignore

// Mistake: Work holds the lock while it calls the cluster; a notification that comes from there waits for
//   ever.
// Killed by: notes-during-work-are-kept
// Verdict: deadlock

package triggers

func (s *Edge) Work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := s.events
	s.events = nil
	for _, e := range events {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}
