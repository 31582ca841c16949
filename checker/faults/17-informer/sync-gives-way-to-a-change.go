//go:build ignore

// Mistake: A sync says nothing new, so it is left out if other deltas of the object come with it.
// Killed by: resync-per-handler
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) apply(deltas kit.Deltas[T], isInInitialList bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range deltas {
		if d.Type == kit.DeltaSync && len(deltas) > 1 {
			continue
		}
		if err := s.applyOne(d, isInInitialList); err != nil {
			return err
		}
	}
	return nil
}
