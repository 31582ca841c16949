// Package store is lab 07 as a sequence of moments: the state is an immutable slice,
// sorted by namespace and name, behind an atomic pointer. A writer copies the slice and
// puts the new one in its place; readers take no lock at all.
package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sort"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Store keeps the objects of one type.
type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]
	writing  chan struct{} // holds a token while somebody writes
	now      atomic.Pointer[moment[T]]
}

// moment is all there is at one version. Nothing in it is ever written to.
type moment[T kit.Object] struct {
	version int64
	objects []T // sorted by namespace and name
}

func (m *moment[T]) find(namespace, name string) (int, bool) {
	i := sort.Search(len(m.objects), func(i int) bool {
		o := m.objects[i]
		return o.GetNamespace() > namespace || o.GetNamespace() == namespace && o.GetName() >= name
	})
	return i, i < len(m.objects) && m.objects[i].GetNamespace() == namespace && m.objects[i].GetName() == name
}

// New returns an empty store for objects of the type typ.
func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	s := &Store[T]{typ: typ, journals: append([]kit.Journal[T](nil), journals...), writing: make(chan struct{}, 1)}
	s.now.Store(&moment[T]{version: 4095})
	return s
}

// write makes the next moment out of m: obj in the place of n objects at i. The object
// that is returned belongs to the caller.
func (s *Store[T]) write(m *moment[T], what kit.EventType, i, n int, obj T) T {
	next := &moment[T]{version: m.version + 1}
	obj.SetResourceVersion(strconv.FormatInt(next.version, 10))
	next.objects = append(next.objects, m.objects[:i]...)
	if what != kit.Deleted {
		next.objects = append(next.objects, obj)
	}
	next.objects = append(next.objects, m.objects[i+n:]...)
	s.now.Store(next)
	out := s.typ.DeepCopy(obj)
	for _, j := range s.journals {
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
	return out
}

func (s *Store[T]) lock() *moment[T] {
	s.writing <- struct{}{}
	return s.now.Load()
}

func (s *Store[T]) unlock() { <-s.writing }

func (s *Store[T]) refuse(reason kit.Reason, why string) (T, error) {
	var zero T
	return zero, kit.NewStatusError(reason, "%s: %s", s.typ.Resource, why)
}

// Create stores a new object and returns it as stored.
func (s *Store[T]) Create(ctx context.Context, obj T) (T, error) {
	var zero T
	if ctx.Err() != nil {
		return zero, ctx.Err()
	}
	obj = s.typ.DeepCopy(obj)
	m := s.lock()
	defer s.unlock()
	switch {
	case obj.GetName() == "" && obj.GetGenerateName() == "":
		return s.refuse(kit.ReasonInvalid, "no name")
	case obj.GetResourceVersion() != "":
		return s.refuse(kit.ReasonBadRequest, "has a version")
	}
	for obj.GetName() == "" {
		prefix := obj.GetGenerateName()
		if len(prefix) > 58 {
			prefix = prefix[:58]
		}
		for range 5 {
			prefix += string("0123456789abcdefghijklmnopqrstuvwxyz"[rand.IntN(36)])
		}
		if _, taken := m.find(obj.GetNamespace(), prefix); !taken {
			obj.SetName(prefix)
		}
	}
	i, taken := m.find(obj.GetNamespace(), obj.GetName())
	if taken {
		return zero, kit.NewAlreadyExists(s.typ.Resource, kit.Key(obj))
	}
	s.typ.SetCreated(obj, fmt.Sprintf("%d-%x", m.version+1, rand.Uint64()), time.Now().Round(0).UTC())
	s.typ.SetDeleting(obj, nil)
	obj.SetGeneration(1)
	return s.write(m, kit.Added, i, 0, obj), nil
}

// Get returns the object, or NotFound. The namespace is "" for objects that are in none.
func (s *Store[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	var zero T
	if ctx.Err() != nil {
		return zero, ctx.Err()
	}
	m := s.now.Load()
	i, ok := m.find(namespace, name)
	if !ok {
		return zero, kit.NewNotFound(s.typ.Resource, namespace+"/"+name)
	}
	return s.typ.DeepCopy(m.objects[i]), nil
}

// List returns the objects of options.Namespace, of all namespaces if that is "", sorted
// by namespace and then by name.
func (s *Store[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if ctx.Err() != nil {
		return kit.List[T]{}, ctx.Err()
	}
	m := s.now.Load()
	list := kit.List[T]{ResourceVersion: strconv.FormatInt(m.version, 10), Items: []T{}}
	for _, obj := range m.objects {
		if options.Namespace == "" || obj.GetNamespace() == options.Namespace {
			list.Items = append(list.Items, s.typ.DeepCopy(obj))
		}
	}
	return list, nil
}

// Update replaces the stored object by obj and returns it as stored.
func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var zero T
	if ctx.Err() != nil {
		return zero, ctx.Err()
	}
	m := s.lock()
	defer s.unlock()
	i, ok := m.find(obj.GetNamespace(), obj.GetName())
	if !ok {
		return zero, kit.NewNotFound(s.typ.Resource, kit.Key(obj))
	}
	old := m.objects[i]
	if obj.GetResourceVersion() == "" {
		return s.refuse(kit.ReasonInvalid, "no version")
	}
	uid, at := s.typ.Created(old)
	if got, _ := s.typ.Created(obj); obj.GetResourceVersion() != old.GetResourceVersion() || got != "" && got != uid {
		return zero, kit.NewConflict(s.typ.Resource, kit.Key(obj))
	}
	next := s.typ.DeepCopy(obj)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, s.typ.Deleting(s.typ.DeepCopy(old)))
	next.SetGeneration(old.GetGeneration())
	if !s.typ.SameSpec(old, next) {
		next.SetGeneration(old.GetGeneration() + 1)
	}
	what := kit.Modified
	if s.typ.Deleting(old) != nil {
		had := map[string]bool{}
		for _, f := range old.GetFinalizers() {
			had[f] = true
		}
		for _, f := range next.GetFinalizers() {
			if !had[f] {
				return s.refuse(kit.ReasonInvalid, "new finalizer")
			}
		}
		if len(next.GetFinalizers()) == 0 {
			what = kit.Deleted
		}
	}
	if s.typ.Equal(old, next) {
		return next, nil
	}
	return s.write(m, what, i, 1, next), nil
}

// Delete deletes the object and returns it as it stood last, with the version of the
// delete.
func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	var zero T
	if ctx.Err() != nil {
		return zero, ctx.Err()
	}
	m := s.lock()
	defer s.unlock()
	i, ok := m.find(namespace, name)
	if !ok {
		return zero, kit.NewNotFound(s.typ.Resource, name)
	}
	obj := s.typ.DeepCopy(m.objects[i])
	uid, _ := s.typ.Created(obj)
	p := options.Preconditions
	if (p.UID != "" && p.UID != uid) || (p.ResourceVersion != "" && p.ResourceVersion != obj.GetResourceVersion()) {
		return zero, kit.NewConflict(s.typ.Resource, name)
	}
	if len(obj.GetFinalizers()) == 0 {
		return s.write(m, kit.Deleted, i, 1, obj), nil
	}
	if s.typ.Deleting(obj) == nil {
		now := time.Now().Round(0).UTC()
		s.typ.SetDeleting(obj, &now)
		obj.SetGeneration(obj.GetGeneration() + 1)
		return s.write(m, kit.Modified, i, 1, obj), nil
	}
	return obj, nil
}
