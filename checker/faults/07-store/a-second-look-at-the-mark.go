//go:build ignore

// Mistake: After it has marked an object Delete reads it again for its result, and finds what others have written since.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package store

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	last, err := s.remove(key{namespace, name}, options.Preconditions)
	if err != nil {
		return none, err
	}
	if s.deleting(last) {
		s.mu.RLock()
		if now, ok := s.objects[key{namespace, name}]; ok {
			last = now
		}
		s.mu.RUnlock()
	}
	return s.typ.DeepCopy(last), nil
}
