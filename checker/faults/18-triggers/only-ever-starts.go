//go:build ignore

// Mistake: Only missing pods are thought of, not those that are too many.
// Killed by: level-closes-the-gap
// Verdict: wrong-answer

package triggers

func (s *Level) reconcile(key string) error {
	n := s.cluster.Get(key).Missing()
	if n <= 0 {
		return nil
	}
	return s.cluster.Scale(key, n)
}
