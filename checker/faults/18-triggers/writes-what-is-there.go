//go:build ignore

// Mistake: The write is sent always: adding nothing is taken to be free (a status update without a change is
//   the usual form of it).
// Killed by: reconciling-twice-writes-nothing
// Verdict: wrong-answer

package triggers

func (s *Level) reconcile(key string) error {
	n := s.cluster.Get(key).Missing()
	return s.cluster.Scale(key, n)
}
