// Package indexer is lab 15 with snapshots: readers load a state that never changes, and a
// write makes the next one. No reader ever waits.
package indexer

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Indexer keeps objects by their key (as of kit.Key), and finds them by what its indices say
// of them.
type Indexer[T kit.Object] struct {
	now     atomic.Pointer[state[T]] // what readers see; a state that was stored never changes
	writing chan struct{}            // holds a token while somebody makes the next state
}

var _ kit.Indexer[*kit.Pod] = (*Indexer[*kit.Pod])(nil)

// New returns an empty indexer with these indices. indexers may be nil. The indexer
// neither keeps nor changes the map.
func New[T kit.Object](indexers map[string]kit.IndexFunc[T]) *Indexer[T] {
	x := &Indexer[T]{writing: make(chan struct{}, 1)}
	first := &state[T]{indices: map[string]*index[T]{}}
	for name, fn := range indexers {
		first.indices[name] = &index[T]{fn: fn}
	}
	x.now.Store(first)
	return x
}

// Add stores obj, and replaces the object with the same key if there is one.
func (x *Indexer[T]) Add(obj T) error {
	return x.write(func(s *state[T]) error { return s.put(kit.Key(obj), &obj) })
}

// Update does what Add does.
func (x *Indexer[T]) Update(obj T) error {
	return x.write(func(s *state[T]) error { return s.put(kit.Key(obj), &obj) })
}

// Delete removes the object with the key of obj. If there is none it does nothing,
// and that is no error.
func (x *Indexer[T]) Delete(obj T) error {
	return x.write(func(s *state[T]) error { return s.put(kit.Key(obj), nil) })
}

// Replace makes the objects of list all there are, in one step, and rebuilds the
// indices. Of objects with the same key the last counts. The resource version is
// not used.
func (x *Indexer[T]) Replace(list []T, resourceVersion string) error {
	return x.write(func(s *state[T]) error {
		s.items = map[string]T{}
		for _, obj := range slices.Backward(list) {
			if _, later := s.items[kit.Key(obj)]; !later {
				s.items[kit.Key(obj)] = obj
			}
		}
		for name, idx := range s.indices {
			built, err := build(name, idx.fn, s.items)
			if err != nil {
				return err
			}
			s.indices[name] = built
		}
		return nil
	})
}

// AddIndexers adds indices. Objects that are stored already are in them when it
// returns. If there is an index of one of these names, it returns an error and adds
// none of them.
func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	return x.write(func(s *state[T]) error {
		for name, fn := range newIndexers {
			if s.indices[name] != nil {
				return fmt.Errorf("index %q: exists", name)
			}
			built, err := build(name, fn, s.items)
			if err != nil {
				return err
			}
			s.indices[name] = built
		}
		return nil
	})
}

type state[T kit.Object] struct {
	items   map[string]T
	indices map[string]*index[T]
}

type index[T kit.Object] struct {
	fn   kit.IndexFunc[T]
	keys map[string][]string // the keys under each value; never changed, only replaced
}

func (x *Indexer[T]) write(change func(next *state[T]) error) error {
	x.writing <- struct{}{}
	defer func() { <-x.writing }()
	now := x.now.Load()
	next := &state[T]{items: maps.Clone(now.items), indices: maps.Clone(now.indices)}
	if next.items == nil {
		next.items = map[string]T{}
	}
	if err := change(next); err != nil {
		return err
	}
	x.now.Store(next)
	return nil
}

func build[T kit.Object](name string, fn kit.IndexFunc[T], items map[string]T) (*index[T], error) {
	idx := &index[T]{fn: fn, keys: map[string][]string{}}
	for key, obj := range items {
		values, err := fn(obj)
		if err != nil {
			return nil, fmt.Errorf("building %q: %w", name, err)
		}
		for _, v := range values {
			if !slices.Contains(idx.keys[v], key) {
				idx.keys[v] = append(idx.keys[v], key)
			}
		}
	}
	return idx, nil
}

// put puts obj under key, or takes it out where obj is nil. s is not published yet.
func (s *state[T]) put(key string, obj *T) error {
	old, had := s.items[key]
	for name, idx := range s.indices {
		var before, after []string
		var err error
		if had {
			if before, err = idx.fn(old); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if obj != nil {
			if after, err = idx.fn(*obj); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		keys := maps.Clone(idx.keys)
		if keys == nil {
			keys = map[string][]string{}
		}
		for _, v := range before {
			rest := slices.DeleteFunc(slices.Clone(keys[v]), func(k string) bool { return k == key })
			if len(rest) == 0 {
				delete(keys, v)
			} else {
				keys[v] = rest
			}
		}
		for _, v := range after {
			if !slices.Contains(keys[v], key) {
				keys[v] = append(slices.Clone(keys[v]), key)
			}
		}
		s.indices[name] = &index[T]{fn: idx.fn, keys: keys}
	}
	if obj == nil {
		delete(s.items, key)
	} else {
		s.items[key] = *obj
	}
	return nil
}
