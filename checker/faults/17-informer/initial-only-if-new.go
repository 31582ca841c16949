//go:build ignore

// Mistake: An object that the Indexer had when the Pop began is not in the first list for this informer, whatever the Queue
//   passes.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) apply(deltas kit.Deltas[T], isInInitialList bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(deltas) > 0 {
		_, had := s.options.Indexer.Get(deltas[0].Object)
		isInInitialList = isInInitialList && !had
	}
	for _, d := range deltas {
		if err := s.applyOne(d, isInInitialList); err != nil {
			return err
		}
	}
	return nil
}
