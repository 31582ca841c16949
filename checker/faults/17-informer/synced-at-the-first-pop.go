//go:build ignore

// Mistake: The informer looks whether it has synced when it has popped something; an empty list brings
//   nothing to pop.
// Killed by: nothing-is-synced-too
// Verdict: wrong-answer

package informer

func (s *SharedInformer[T]) HasSynced() bool {
	return len(s.options.Indexer.ListKeys()) > 0 && s.options.Queue.HasSynced()
}
