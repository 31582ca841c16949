//go:build ignore

// Mistake: Scale is taken for "make it n": each look starts all the pods once more.
// Killed by: reconciling-twice-writes-nothing
// Verdict: wrong-answer

package triggers

func (s *Level) reconcile(key string) error {
	n := s.cluster.Get(key).Desired
	if n == 0 {
		return nil
	}
	return s.cluster.Scale(key, n)
}
