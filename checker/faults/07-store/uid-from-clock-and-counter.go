//go:build ignore

// Mistake: A UID is the time and the store's version: two stores that create at one moment give the same.
// Killed by: create-stamps-the-object
// Verdict: wrong-answer

package store

import (
	"context"
	"strconv"
	"time"
)

func (s *Store[T]) Create(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if err := s.checkNew(obj); err != nil {
		return none, err
	}
	created := s.typ.DeepCopy(obj)
	s.mu.RLock()
	version := s.version
	s.mu.RUnlock()
	_ = newUID
	s.typ.SetCreated(created, strconv.FormatInt(time.Now().UnixNano(), 36)+"-"+format(version), time.Now())
	s.typ.SetDeleting(created, nil)
	created.SetGeneration(1)
	if err := s.insert(created); err != nil {
		return none, err
	}
	return s.typ.DeepCopy(created), nil
}
