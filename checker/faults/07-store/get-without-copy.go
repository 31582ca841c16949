//go:build ignore

// Mistake: Get returns the stored object: it is only read, after all.
// Killed by: shares-no-memory
// Verdict: wrong-answer

package store

import "context"

func (s *Store[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	k := key{namespace, name}
	s.mu.RLock()
	obj, ok := s.objects[k]
	s.mu.RUnlock()
	if !ok {
		return none, s.notFound(k)
	}
	return obj, nil
}
