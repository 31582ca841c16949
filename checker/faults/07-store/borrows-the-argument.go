//go:build ignore

// Mistake: Update copies its argument without the version, and puts the version back: a goroutine that reads the argument
//   meanwhile finds none.
// Killed by: readers-and-writers-meet
// Verdict: data-race

package store

import "context"

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	version := obj.GetResourceVersion()
	obj.SetResourceVersion("")
	next := s.typ.DeepCopy(obj)
	obj.SetResourceVersion(version)
	next.SetResourceVersion(version)
	stored, err := s.replace(next)
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}
