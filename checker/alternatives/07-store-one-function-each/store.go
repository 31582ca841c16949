// Package store is lab 07 in its plainest form: one function for an update and one for a
// delete, each of which checks, writes and calls the journals under one lock.
package store

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Store keeps the objects of one type.
type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]

	mu      sync.RWMutex
	version uint64
	objects map[key]T // what is in here is never written to
}

type key struct{ namespace, name string }

func keyOf(obj kit.Object) key { return key{obj.GetNamespace(), obj.GetName()} }

// New returns an empty store for objects of the type typ.
func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	return &Store[T]{typ: typ, journals: slices.Clone(journals), version: 1, objects: make(map[key]T)}
}

// Create stores a new object and returns it as stored.
func (s *Store[T]) Create(ctx context.Context, obj T) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	if obj.GetName() == "" && obj.GetGenerateName() == "" {
		return zero, kit.NewStatusError(kit.ReasonInvalid, "%s: name or generateName is required", s.typ.Resource)
	}
	if obj.GetResourceVersion() != "" {
		return zero, kit.NewStatusError(kit.ReasonBadRequest, "resourceVersion should not be set on objects to be created")
	}
	stored := s.typ.DeepCopy(obj)
	s.typ.SetCreated(stored, newUID(), time.Now())
	s.typ.SetDeleting(stored, nil)
	stored.SetGeneration(1)

	s.mu.Lock()
	if stored.GetName() == "" {
		s.generateName(stored)
	}
	k := keyOf(stored)
	if _, taken := s.objects[k]; taken {
		s.mu.Unlock()
		return zero, kit.NewAlreadyExists(s.typ.Resource, k.name)
	}
	s.commit(kit.Added, stored)
	s.mu.Unlock()
	return s.typ.DeepCopy(stored), nil
}

// Get returns the object, or NotFound. The namespace is "" for objects that are in none.
func (s *Store[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	s.mu.RLock()
	stored, ok := s.objects[key{namespace, name}]
	s.mu.RUnlock()
	if !ok {
		return zero, kit.NewNotFound(s.typ.Resource, name)
	}
	return s.typ.DeepCopy(stored), nil
}

// List returns the objects of options.Namespace, of all namespaces if that is "", sorted
// by namespace and then by name.
func (s *Store[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	var items []T
	s.mu.RLock()
	version := s.version
	for k, stored := range s.objects {
		if options.Namespace == "" || k.namespace == options.Namespace {
			items = append(items, stored)
		}
	}
	s.mu.RUnlock()

	slices.SortFunc(items, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	for i, stored := range items {
		items[i] = s.typ.DeepCopy(stored)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

// Update replaces the stored object by obj and returns it as stored.
func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	next := s.typ.DeepCopy(obj)
	written, err := s.update(next)
	if err != nil {
		return zero, err
	}
	return s.typ.DeepCopy(written), nil
}

// Delete deletes the object and returns it as it stood last, with the version of the
// delete.
func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	written, err := s.delete(key{namespace, name}, options.Preconditions)
	if err != nil {
		return zero, err
	}
	return s.typ.DeepCopy(written), nil
}

// update returns an object that nobody may write to.
func (s *Store[T]) update(next T) (T, error) {
	var zero T
	s.mu.Lock()
	defer s.mu.Unlock()

	k := keyOf(next)
	stored, ok := s.objects[k]
	if !ok {
		return zero, kit.NewNotFound(s.typ.Resource, k.name)
	}
	if next.GetResourceVersion() == "" {
		return zero, kit.NewStatusError(kit.ReasonInvalid, "%s %q: resourceVersion must be set for an update", s.typ.Resource, k.name)
	}
	uid, created := s.typ.Created(stored)
	nextUID, _ := s.typ.Created(next)
	if next.GetResourceVersion() != stored.GetResourceVersion() || nextUID != "" && nextUID != uid {
		return zero, kit.NewConflict(s.typ.Resource, k.name)
	}
	deleting := s.typ.Deleting(stored)
	if deleting != nil {
		for _, finalizer := range next.GetFinalizers() {
			if !slices.Contains(stored.GetFinalizers(), finalizer) {
				return zero, kit.NewStatusError(kit.ReasonInvalid, "%s %q is being deleted: finalizer %q cannot be added", s.typ.Resource, k.name, finalizer)
			}
		}
		at := *deleting
		deleting = &at
	}

	s.typ.SetCreated(next, uid, created)
	s.typ.SetDeleting(next, deleting)
	next.SetGeneration(stored.GetGeneration())
	if !s.typ.SameSpec(stored, next) {
		next.SetGeneration(stored.GetGeneration() + 1)
	}
	switch {
	case s.typ.Equal(stored, next):
		return stored, nil
	case deleting != nil && len(next.GetFinalizers()) == 0:
		s.commit(kit.Deleted, next)
	default:
		s.commit(kit.Modified, next)
	}
	return next, nil
}

// delete returns an object that nobody may write to.
func (s *Store[T]) delete(k key, must kit.Preconditions) (T, error) {
	var zero T
	s.mu.Lock()
	defer s.mu.Unlock()

	stored, ok := s.objects[k]
	if !ok {
		return zero, kit.NewNotFound(s.typ.Resource, k.name)
	}
	uid, _ := s.typ.Created(stored)
	if must.UID != "" && must.UID != uid || must.ResourceVersion != "" && must.ResourceVersion != stored.GetResourceVersion() {
		return zero, kit.NewConflict(s.typ.Resource, k.name)
	}
	if len(stored.GetFinalizers()) == 0 {
		last := s.typ.DeepCopy(stored)
		s.commit(kit.Deleted, last)
		return last, nil
	}
	if s.typ.Deleting(stored) != nil {
		return stored, nil
	}
	marked := s.typ.DeepCopy(stored)
	now := time.Now()
	s.typ.SetDeleting(marked, &now)
	marked.SetGeneration(marked.GetGeneration() + 1)
	s.commit(kit.Modified, marked)
	return marked, nil
}

// commit carries out one write: it gives the version, changes the map, and tells
// the journals. The caller holds the lock and never writes to obj again.
func (s *Store[T]) commit(what kit.EventType, obj T) {
	s.version++
	obj.SetResourceVersion(format(s.version))
	if what == kit.Deleted {
		delete(s.objects, keyOf(obj))
	} else {
		s.objects[keyOf(obj)] = obj
	}
	for _, journal := range s.journals {
		journal.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}

const (
	maxGenerateName = 58
	alphabet        = "abcdefghijklmnopqrstuvwxyz0123456789"
)

// generateName gives obj a name that is not taken. The caller holds the lock.
func (s *Store[T]) generateName(obj T) {
	prefix := obj.GetGenerateName()
	prefix = prefix[:min(len(prefix), maxGenerateName)]
	for {
		var suffix [5]byte
		for i := range suffix {
			suffix[i] = alphabet[rand.IntN(len(alphabet))]
		}
		obj.SetName(prefix + string(suffix[:]))
		if _, taken := s.objects[keyOf(obj)]; !taken {
			return
		}
	}
}

func newUID() string {
	a, b := rand.Uint64(), rand.Uint64()
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xffff, a&0xffff, b>>48, b&0xffffffffffff)
}

func format(version uint64) string { return strconv.FormatUint(version, 10) }
