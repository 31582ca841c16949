//go:build ignore

// Mistake: The Queue calls apply under its lock already, so no other is thought to be needed. But handlers
//   join and leave without the Queue.
// Killed by: late-handler-in-a-storm
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) apply(deltas kit.Deltas[T], isInInitialList bool) error {
	for _, d := range deltas {
		if err := s.applyOne(d, isInInitialList); err != nil {
			return err
		}
	}
	return nil
}
