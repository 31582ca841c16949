//go:build ignore

// Mistake: The loop ends with any error of Pop, so one object that an index cannot take stops the cache for
//   all.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import "context"

func (s *SharedInformer[T]) process(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := s.options.Queue.Pop(s.apply); err != nil {
			return
		}
	}
}
