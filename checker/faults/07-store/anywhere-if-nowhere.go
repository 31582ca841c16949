//go:build ignore

// Mistake: Get without a namespace looks into all of them: a controller of objects that are in none is given one of a\n//   namespace.
// Killed by: names-are-per-namespace
// Verdict: wrong-answer

package store

import "context"

func (s *Store[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if obj, ok := s.objects[key{namespace, name}]; ok {
		return s.typ.DeepCopy(obj), nil
	}
	for k, obj := range s.objects {
		if namespace == "" && k.name == name {
			return s.typ.DeepCopy(obj), nil
		}
	}
	return none, s.notFound(key{namespace, name})
}
