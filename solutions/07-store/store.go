// Package store is lab 07: a versioned object store, the heart of an API server.
// Readers and writers share no memory, and no writer can undo what it has not seen.
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

// Store keeps the objects of one type. The stub's documentation is the contract.
//
// An object is never written to once it is in the map: a write puts another
// object in its place. So a reader holds the lock only for as long as it takes to
// pick up a pointer, and copies what the pointer leads to at its leisure. The
// write of the object happens before the unlock that publishes it, that unlock
// before the reader's lock, and nobody writes afterwards.
type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]

	mu      sync.RWMutex // guards the fields below and orders the calls of journals
	version uint64       // of the newest write
	objects map[key]T    // the objects are immutable
}

// key is an object's place in the store. A struct, because "a/b" is made by more
// than one pair of strings.
type key struct{ namespace, name string }

func keyOf(obj kit.Object) key { return key{obj.GetNamespace(), obj.GetName()} }

func (k key) String() string {
	if k.namespace == "" {
		return k.name
	}
	return k.namespace + "/" + k.name
}

func (k key) compare(other key) int {
	return cmp.Or(cmp.Compare(k.namespace, other.namespace), cmp.Compare(k.name, other.name))
}

// firstVersion is the version of an empty store. etcd begins at 1 too: "0" is not
// a moment, it is how a client says that any moment will do.
const firstVersion = 1

// New returns an empty store for objects of the type typ that tells journals of
// every change.
func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	return &Store[T]{
		typ:      typ,
		journals: slices.Clone(journals),
		version:  firstVersion,
		objects:  map[key]T{},
	}
}

// Create stores a new object and returns it as stored.
func (s *Store[T]) Create(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if err := s.checkNew(obj); err != nil {
		return none, err
	}
	created := s.typ.DeepCopy(obj)
	s.typ.SetCreated(created, newUID(), time.Now())
	s.typ.SetDeleting(created, nil)
	created.SetGeneration(1)
	if err := s.insert(created); err != nil {
		return none, err
	}
	return s.typ.DeepCopy(created), nil
}

// insert puts an object in its place if that is free. A generated name is chosen
// here, under the lock: chosen before, it could be taken by the time it is used.
func (s *Store[T]) insert(created T) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if created.GetName() == "" {
		created.SetName(s.freeName(created))
	}
	k := keyOf(created)
	if _, taken := s.objects[k]; taken {
		return kit.NewAlreadyExists(s.typ.Resource, k.String())
	}
	s.commit(kit.Added, k, created)
	return nil
}

// freeName is called with the lock held.
func (s *Store[T]) freeName(obj T) string {
	for {
		name := generateName(obj.GetGenerateName())
		if _, taken := s.objects[key{obj.GetNamespace(), name}]; !taken {
			return name
		}
	}
}

// Get returns the object, or NotFound.
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
	return s.typ.DeepCopy(obj), nil
}

// List returns the objects of options.Namespace at one moment. Version and
// objects are read under one lock: a version read later would promise changes
// that the list does not show, and a watch from there would never bring them.
func (s *Store[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	version, items := s.snapshot(options.Namespace)
	slices.SortFunc(items, func(a, b T) int { return keyOf(a).compare(keyOf(b)) })
	for i, obj := range items {
		items[i] = s.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

func (s *Store[T]) snapshot(namespace string) (version uint64, items []T) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	items = make([]T, 0, len(s.objects))
	for k, obj := range s.objects {
		if namespace == "" || namespace == k.namespace {
			items = append(items, obj)
		}
	}
	return s.version, items
}

// Update replaces the stored object by obj and returns it as stored.
func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	stored, err := s.replace(s.typ.DeepCopy(obj))
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}

// replace compares and writes under one lock. It is tempting to compare under a
// read lock, which is cheaper, and to write under a second one; between the two
// another writer does the same, and its change is lost without a word.
func (s *Store[T]) replace(next T) (T, error) {
	k := keyOf(next)
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.objects[k]
	if !ok {
		return next, s.notFound(k)
	}
	if err := s.checkUpdate(k, old, next); err != nil {
		return next, err
	}
	s.keepSystemFields(old, next)
	switch {
	case s.typ.Equal(old, next):
		return old, nil
	case s.deleting(next) && len(next.GetFinalizers()) == 0:
		s.commit(kit.Deleted, k, next)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}

// Delete deletes the object, or marks it while it has finalizers.
func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	last, err := s.remove(key{namespace, name}, options.Preconditions)
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(last), nil
}

// remove changes a copy, never the stored object: readers and journals may be
// looking at that one.
func (s *Store[T]) remove(k key, p kit.Preconditions) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.objects[k]
	if !ok {
		return old, s.notFound(k)
	}
	if err := s.checkPreconditions(k, old, p); err != nil {
		return old, err
	}
	if len(old.GetFinalizers()) == 0 {
		last := s.typ.DeepCopy(old)
		s.commit(kit.Deleted, k, last)
		return last, nil
	}
	if s.deleting(old) {
		return old, nil
	}
	now := time.Now()
	marked := s.typ.DeepCopy(old)
	s.typ.SetDeleting(marked, &now)
	marked.SetGeneration(old.GetGeneration() + 1)
	s.commit(kit.Modified, k, marked)
	return marked, nil
}

// commit carries out one write: it gives obj the next version, changes the map
// and tells the journals. The lock is held, so versions, map and journals all
// agree on one order. Only a write that can no longer fail gets here.
func (s *Store[T]) commit(what kit.EventType, k key, obj T) {
	s.version++
	obj.SetResourceVersion(format(s.version))
	if what == kit.Deleted {
		delete(s.objects, k)
	} else {
		s.objects[k] = obj
	}
	for _, j := range s.journals {
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}

func format(version uint64) string { return strconv.FormatUint(version, 10) }

// checkNew says whether obj may be created.
func (s *Store[T]) checkNew(obj T) error {
	if obj.GetName() == "" && obj.GetGenerateName() == "" {
		return kit.NewStatusError(kit.ReasonInvalid, "%s: name or generateName is required", s.typ.Kind)
	}
	if obj.GetResourceVersion() != "" {
		return kit.NewStatusError(kit.ReasonBadRequest, "resourceVersion should not be set on objects to be created")
	}
	return nil
}

// checkUpdate says whether next, which its writer made from some version of the
// object, may take the place of old. Versions are compared for being the same and
// not for their order: "not older" would let in a version from another store, and
// as strings "10" is less than "9".
func (s *Store[T]) checkUpdate(k key, old, next T) error {
	if next.GetResourceVersion() == "" {
		return kit.NewStatusError(kit.ReasonInvalid, "%s %q: resourceVersion must be specified for an update", s.typ.Resource, k)
	}
	if next.GetResourceVersion() != old.GetResourceVersion() {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if uid := s.uid(next); uid != "" && uid != s.uid(old) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if s.deleting(old) && hasNew(old.GetFinalizers(), next.GetFinalizers()) {
		return kit.NewStatusError(kit.ReasonInvalid, "%s %q: no new finalizers can be added if the object is being deleted", s.typ.Resource, k)
	}
	return nil
}

// keepSystemFields puts into next what no client may change.
func (s *Store[T]) keepSystemFields(old, next T) {
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, s.typ.Deleting(old))
	generation := old.GetGeneration()
	if !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}

func (s *Store[T]) checkPreconditions(k key, obj T, p kit.Preconditions) error {
	if p.UID != "" && p.UID != s.uid(obj) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if p.ResourceVersion != "" && p.ResourceVersion != obj.GetResourceVersion() {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	return nil
}

func (s *Store[T]) uid(obj T) string {
	uid, _ := s.typ.Created(obj)
	return uid
}

func (s *Store[T]) deleting(obj T) bool { return s.typ.Deleting(obj) != nil }

func (s *Store[T]) notFound(k key) error { return kit.NewNotFound(s.typ.Resource, k.String()) }

// hasNew reports whether next has an element that old has not.
func hasNew(old, next []string) bool {
	return slices.ContainsFunc(next, func(f string) bool { return !slices.Contains(old, f) })
}

const (
	suffixLength = 5
	prefixLength = 63 - suffixLength // what fits into one label of a DNS name
	letters      = "abcdefghijklmnopqrstuvwxyz0123456789"
)

// generateName returns prefix, cut to what fits, and a random suffix.
func generateName(prefix string) string {
	suffix := make([]byte, suffixLength)
	for i := range suffix {
		suffix[i] = letters[rand.IntN(len(letters))]
	}
	return prefix[:min(len(prefix), prefixLength)] + string(suffix)
}

// newUID is 128 random bits in the layout of RFC 4122, version 4.
func newUID() string {
	high, low := rand.Uint64(), rand.Uint64()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}
